import { writeFileSync } from 'node:fs';
import { apis } from '../../../emulator/broker/apis/all.js';
import { supportPage } from './support-page.js';

writeFileSync(new URL('../../../docs/reference/kafka-support.md', import.meta.url), supportPage(apis));
