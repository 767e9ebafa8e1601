import { writeFileSync } from 'node:fs';
import { apis } from './apis/all.js';
import { supportPage } from './support.js';

writeFileSync(new URL('../../docs/kafka-support.md', import.meta.url), supportPage(apis));
