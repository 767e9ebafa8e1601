import { fork } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCatalogue } from 'busbar';
import type { Cost } from './catalogue-check/child.js';
import { messagesOf } from './child-messages.js';
import { type Measured, median } from './measure.js';
import { sampleEvents } from './sample-events.js';

const records = 1_000_000;
const rounds = 3;

/** Measures `busbar catalogue check` relative to parsing and validating alone, each with its start. */
export async function* measure(): AsyncIterable<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-bench-'));
  try {
    const file = join(folder, 'records.ndjson');
    await write(file);
    const ratios: number[] = [];
    let memory = 0;
    for (let round = 0; round < rounds; round++) {
      const least = await cost('parse-validate', file);
      const check = await cost('check', file);
      ratios.push(least.cpu / check.cpu);
      memory = Math.max(memory, check.memory);
    }
    yield { case: 'speed of parse-validate', ratio: median(ratios), target: 0.8, atLeast: true };
    yield { case: '1,000,000 records: memory', ratio: memory, unit: 'MiB', target: 200 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function write(file: string): Promise<void> {
  const samples = await sampleEvents(openCatalogue());
  const output = createWriteStream(file);
  for (let n = 0; n < records; n++) {
    const { event, payload } = samples[n % samples.length]!;
    const id = `018f3c2e-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const occurred_at = new Date(1_772_442_000_000 + n).toISOString();
    const envelope = { id, event_type: event.type, version: event.version, occurred_at, payload };
    if (!output.write(`${JSON.stringify(envelope)}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}

async function cost(how: string, file: string): Promise<Cost> {
  const child = fork(new URL('./catalogue-check/child.ts', import.meta.url), [how, file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  for await (const reported of messagesOf<Cost>(child)) return reported;
  throw new Error('The child ended without a report.');
}
