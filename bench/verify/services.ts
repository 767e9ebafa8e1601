import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languages } from '../../test/known-answers/languages.js';
import { preparePython, writeContract } from '../../test/known-answers/over-the-wire.js';
import { Unavailable } from '../../test/interop/provide.js';
import { emulate } from '../built.js';
import type { Measured } from '../measure.js';

/** Seconds that all checks of a correct service may take. */
const targets: Readonly<Record<string, number>> = { python: 30, go: 20, java: 45 };

/** Verifies a correct service of each language with all checks, over the wire. */
export async function* ofServices(): AsyncIterable<Measured> {
  for (const [name, target] of Object.entries(targets)) {
    yield* unlessUnavailable(name, async () => {
      const verify = await languages[name]!.prepare();
      const begun = performance.now();
      const failed = (await verify('inbox-in-one-transaction', 1)).filter(
        ({ status }) => status === 'failed',
      );
      if (failed.length > 0) throw new Error(`The correct service in ${name} failed: ${failed[0]?.title}`);
      return [{ case: `all checks, ${name}`, ratio: secondsSince(begun), unit: 's', target }];
    });
  }
  yield* unlessUnavailable('python', ofFailure);
}

/** Times the first verdict on a service that fails a check, and the replay of the failure, each from the command. */
async function ofFailure(): Promise<readonly Measured[]> {
  const python = await preparePython();
  const folder = mkdtempSync(join(tmpdir(), 'busbar-bench-'));
  try {
    const contract = writeContract(folder, 'python', [...python, 'adds-on-every-delivery']);
    const args = [emulate, 'verify', '--contract', contract, '--out', folder];
    let begun = performance.now();
    const verification = spawn(process.execPath, [...args, '--only', 'duplicates'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Each verdict is a line of progress.
    await once(verification.stderr, 'data');
    const first = secondsSince(begun);
    await once(verification, 'close');
    const repro = readdirSync(folder).find((name) => name.startsWith('repro-'));
    if (repro === undefined) throw new Error('The verification found no failure.');
    begun = performance.now();
    const replay = spawn(process.execPath, [...args, '--repro', join(folder, repro)], { stdio: 'ignore' });
    const [code] = (await once(replay, 'close')) as [number];
    if (code !== 1) throw new Error(`The replay exits with ${code}, not with 1.`);
    return [
      { case: 'first verdict, python', ratio: first, unit: 's', target: 3 },
      { case: 'replay of a failure, python', ratio: secondsSince(begun), unit: 's', target: 2 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000;
}

/** Measures what needs a language that a machine may not have. */
async function* unlessUnavailable(
  language: string,
  measure: () => Promise<readonly Measured[]>,
): AsyncIterable<Measured> {
  try {
    yield* await measure();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`NOT RUN: verify ${language}: ${error.message}\n`);
  }
}
