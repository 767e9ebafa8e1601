// Reads a file of records in a process of its own, and reports what that costs.
import { createReadStream } from 'node:fs';
import { openCatalogue } from 'busbar';

/** User CPU time in seconds, and most resident memory in MiB. */
export interface Cost {
  readonly cpu: number;
  readonly memory: number;
}

const [, , how = '', file = ''] = process.argv;
if (how === 'parse-validate') await parseAndValidate(file);
else {
  process.argv = [process.execPath, 'busbar', 'catalogue', 'check', file, '--json', '--quiet'];
  // The command ends its process.
  process.exit = (() => undefined) as never;
  await import(new URL('../../dist/src/cli/main.js', import.meta.url).href);
}
process.send?.({
  cpu: process.cpuUsage().user / 1e6,
  memory: process.resourceUsage().maxRSS / 1024,
} satisfies Cost);
process.disconnect();

/** Does the least: parses each line, and validates its payload. */
async function parseAndValidate(path: string): Promise<void> {
  const catalogue = openCatalogue();
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      const line = JSON.parse(bytes.toString('utf8', start, end)) as Record<string, string>;
      const event = catalogue.find(line['event_type'] ?? '', line['version'] ?? '')!;
      const validate = catalogue.loadedValidator(event) ?? (await catalogue.validator(event));
      if (!validate(line['payload'])) throw new Error('A sample is invalid.');
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}
