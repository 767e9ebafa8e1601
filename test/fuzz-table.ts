import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of random input, by the test file that plays them. */
const areas: Readonly<Record<string, string>> = {
  'emulator/broker/hostile.test.ts': 'Frames to the embedded broker',
  'src/transports/websocket-frames.test.ts': 'WebSocket frames',
  'emulator/sinks/websocket-consume.property.test.ts': 'Conversations of stream consumers',
  'emulator/platform-api/fuzz.property.test.ts': 'REST requests, successful imports included',
  'emulator/control-api/fuzz.property.test.ts': 'Control API requests',
  'emulator/cli/recording-fuzz.int.test.ts': 'Damaged recordings',
  'src/config/config.int.test.ts': 'Configurations',
  'catalogue/schema-fuzz.property.test.ts': 'Schemas of users',
  'src/personal-data.test.ts': 'Invalid payloads with a secret',
};

const page = join(import.meta.dirname, '../docs/explanation/threat-model.md');
const rowOf = (area: string) => new RegExp(`^\\| ${area} \\|.*\\n`, 'm');

/** Replaces the rows of the areas that were played. `log` has the lines of `cases()`. */
export function writeFuzzTable(log: string, times: string): void {
  const counts = new Map<string, number>();
  for (const line of log.trim().split('\n')) {
    const [file = '', count] = line.split('\t');
    counts.set(file, (counts.get(file) ?? 0) + Number(count));
  }
  let text = readFileSync(page, 'utf8');
  for (const [file, area] of Object.entries(areas)) {
    const count = counts.get(file);
    if (count === undefined) continue;
    if (!rowOf(area).test(text)) throw new Error(`${page} has no row "${area}". Add it.`);
    const command = `npm run test:fuzz -- --only ${file}${times === '1' ? '' : ` --times ${times}`}`;
    text = text.replace(rowOf(area), `| ${area} | ${count.toLocaleString('en-GB')} | \`${command}\` |\n`);
  }
  writeFileSync(page, text);
}
