import { writeFileSync } from 'node:fs';
import { goldenMessages } from './golden-messages.js';

writeFileSync(
  new URL('../emulator/broker/golden/kafka-messages.txt', import.meta.url),
  await goldenMessages(),
);
