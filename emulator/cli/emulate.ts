import type { InferredOptionTypes } from 'yargs';
import { BusbarError } from '../../src/errors.js';
import { stderrLogger } from '../../src/logger.js';
import { formatInstant } from '../engine/time.js';
import { type Emulator, startEmulator } from '../index.js';
import type { RunSummary } from '../run/run.js';
import { stdoutSink } from '../sinks/stdout.js';
import type { runOptions } from './run-options.js';

/** The options, as yargs hands them on. */
export type EmulateArguments = InferredOptionTypes<typeof runOptions>;

/** `emulate`: a run of scenarios, until it ends, or until it is interrupted where it has servers of its own. */
export async function emulate(args: EmulateArguments): Promise<void> {
  if (args.scenario === undefined) {
    throw new BusbarError('invalid-option', 'Say what should happen: --scenario house-move.');
  }
  const to = args.to ?? ['websocket'];
  const stdout = to.includes('stdout') ? stdoutSink() : undefined;
  const httpPort = args['http-port'] ?? (to.includes('websocket') ? 4100 : undefined);
  const emulator = await startEmulator({
    scenario: args.scenario,
    instances: args.instances,
    branches: Object.fromEntries((args.branch ?? []).map(parseBranch)),
    seed: args.seed,
    start: parseStart(args.start),
    speed: args.instant ? 'instant' : (args.speed ?? 'story'),
    sinks: stdout === undefined ? [] : [stdout],
    logger: stderrLogger,
    ...(args['run-id'] !== undefined && { runId: args['run-id'] }),
    ...(httpPort !== undefined && { httpPort }),
    ...(args['wait-for-consumer'] !== undefined && { waitForConsumer: args['wait-for-consumer'] }),
  });
  const interrupted = onInterrupt(emulator);
  if (emulator.streamUrl !== undefined) say(`Events on ${emulator.streamUrl} (subprotocol busbar.v1)`);

  stdout?.readerGone.addEventListener('abort', () => void emulator.run.stop());
  try {
    const summary = await emulator.finished;
    if (stdout?.readerGone.aborted !== true) say(describe(summary));
    if (emulator.url !== undefined && !summary.stopped && args['exit-when-done'] !== true) {
      say('The run is over; what it sent stays there to be read. Ctrl-C ends the emulator.');
      await interrupted;
    }
  } finally {
    await emulator.stop();
  }
}

/** Resolves at the first SIGINT or SIGTERM, having begun to stop the run; the next one ends the process at once. */
function onInterrupt(emulator: Emulator): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.exitCode = signal === 'SIGINT' ? 130 : 143;
      void emulator.run.stop().catch(() => undefined);
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

function describe({ events, first, last, stopped }: RunSummary): string {
  if (first === undefined || last === undefined) return 'No event was sent.';
  const span = `virtual time ${formatInstant(first)} to ${formatInstant(last)}`;
  return `${stopped ? 'Stopped after' : 'Done:'} ${events} ${events === 1 ? 'event' : 'events'}, ${span}.`;
}

function parseBranch(text: string): [string, string] {
  const separator = text.indexOf('=');
  if (separator > 0) return [text.slice(0, separator), text.slice(separator + 1)];
  throw new BusbarError(
    'invalid-option',
    `Option "branch" takes BRANCH=OUTCOME, as occupier=unknown, not "${text}".`,
  );
}

/** RFC 3339, or a date, which begins at midnight UTC. */
function parseStart(text: string): number {
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(at)) return at;
  const message = `Option "start" takes an instant, as 2026-03-02T09:00:00Z or 2026-03-02, not "${text}".`;
  throw new BusbarError('invalid-option', message);
}

/** Logs go to standard error: standard output may be the stream of events. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
