import type { InferredOptionTypes } from 'yargs';
import { createInterface, type Interface } from 'node:readline';
import { BusbarError } from '../../src/errors.js';
import { stderrLogger } from '../../src/logger.js';
import { formatInstant } from '../engine/time.js';
import { type Emulator, startEmulator } from '../index.js';
import type { Run, RunSummary } from '../run/run.js';
import { eventTopic } from '../sinks/broker.js';
import { stdoutSink } from '../sinks/stdout.js';
import { parseBranch, parseDuration, parseInstant, parseRate, parseShard } from './parse-options.js';
import type { runOptions } from './run-options.js';

/** The options, as yargs hands them on. */
export type EmulateArguments = InferredOptionTypes<typeof runOptions>;

/** `emulate`: a run of scenarios, until it ends, or until it is interrupted where it has servers of its own. */
export async function emulate(args: EmulateArguments): Promise<void> {
  if (args.scenario === undefined) {
    throw new BusbarError('invalid-option', 'Say what should happen: --scenario house-move.');
  }
  const to = args.to ?? ['broker', 'websocket'];
  const stdout = to.includes('stdout') ? stdoutSink() : undefined;
  const emulator = await startEmulator({
    scenario: args.scenario,
    instances: args.instances,
    branches: Object.fromEntries((args.branch ?? []).map(parseBranch)),
    seed: args.seed,
    start: parseInstant('start', args.start),
    speed: args.instant || args.step ? 'instant' : (args.speed ?? 'story'),
    paused: args.step === true,
    sinks: stdout === undefined ? [] : [stdout],
    logger: stderrLogger,
    ...optional('accounts', args.accounts, (accounts) => accounts),
    ...optional('rate', args.rate, parseRate),
    ...optional('until', args.until, (text) => parseInstant('until', text)),
    ...optional('duration', args.duration, (text) => parseDuration('duration', text)),
    ...optional('shard', args.shard, parseShard),
    ...optional('runId', args['run-id'], (text) => text),
    kafkaPort: args.broker && (args['kafka-port'] ?? (to.includes('broker') && 9092)),
    httpPort: args['http-port'] ?? (to.includes('websocket') && 4100),
    ...optional('waitForConsumer', args['wait-for-consumer'], (name) => name),
  });
  const stepping = args.step ? stepByLine(emulator.run) : undefined;
  const interrupted = onInterrupt(emulator);
  if (emulator.bootstrapServers !== undefined) say(describeBroker(emulator.bootstrapServers));
  if (emulator.streamUrl !== undefined) say(`Events on ${emulator.streamUrl} (subprotocol busbar.v1)`);

  stdout?.readerGone.addEventListener('abort', () => void emulator.run.stop());
  try {
    const summary = await emulator.finished;
    if (stdout?.readerGone.aborted !== true) say(describe(summary));
    if (
      (emulator.url ?? emulator.bootstrapServers) !== undefined &&
      !summary.stopped &&
      args['exit-when-done'] !== true
    ) {
      say('The run is over; what it sent stays there to be read. Ctrl-C ends the emulator.');
      await interrupted;
    }
  } finally {
    stepping?.close();
    await emulator.stop();
  }
}

/** A member for the options, when the command line has it. */
function optional<K extends string, A, B>(
  name: K,
  given: A | undefined,
  parse: (given: A) => B,
): { [P in K]?: B } {
  return given === undefined ? {} : ({ [name]: parse(given) } as { [P in K]?: B });
}

/** Enter lets one thing happen; the end of the input lets the rest happen. */
function stepByLine(run: Run): Interface {
  return createInterface({ input: process.stdin })
    .on('line', () => run.step())
    .on('close', () => run.resume());
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

function describeBroker(bootstrapServers: string): string {
  return `Kafka on ${bootstrapServers}, topic ${eventTopic}: an embedded broker for development and tests, in memory`;
}

function describe({ events, first, last, stopped }: RunSummary): string {
  if (first === undefined || last === undefined) return 'No event was sent.';
  const span = `virtual time ${formatInstant(first)} to ${formatInstant(last)}`;
  return `${stopped ? 'Stopped after' : 'Done:'} ${events} ${events === 1 ? 'event' : 'events'}, ${span}.`;
}

/** Logs go to standard error: standard output may be the stream of events. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
