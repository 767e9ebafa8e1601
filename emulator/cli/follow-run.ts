import { createInterface, type Interface } from 'node:readline';
import { onStopSignal } from '../../src/cli/stop-signals.js';
import type { PaceOptions, Playback, SendOptions } from '../index.js';
import type { Run } from '../run/run.js';
import { eventTopic } from '../sinks/broker.js';
import { given } from './given.js';
import { httpGiven } from './http-options.js';
import type { OpenSinks, SendArguments } from './open-sinks.js';
import { parseRate } from './parse-options.js';
import { showProgress } from './progress.js';
import { describe } from './summary.js';

/** What playing and replaying hand on to the emulator alike. */
export function sendingOptions(args: SendArguments, { sinks }: OpenSinks): PaceOptions & SendOptions {
  const to = args.to ?? ['broker', 'websocket'];
  return {
    speed: args.instant || args.step ? 'instant' : (args.speed ?? 'story'),
    paused: args.step === true,
    sinks,
    kafkaPort: args.broker && (args['kafka-port'] ?? (to.includes('broker') && 9092)),
    httpPort: args['http-port'] ?? (to.includes('websocket') && 4100),
    ...httpGiven(args),
    ...given('rate', args.rate, parseRate),
    ...given('waitForConsumer', args['wait-for-consumer']),
  };
}

/**
 * Follows a run to its end, and on until it is interrupted where it has servers of its own: says where it goes, how
 * far it is, and what it came to.
 */
export async function followRun(
  emulator: Playback,
  args: SendArguments & { readonly record?: string | undefined; readonly resume?: string | undefined },
  { sinks, stdout }: OpenSinks,
): Promise<void> {
  const serves = (emulator.url ?? emulator.bootstrapServers) !== undefined;
  const goesElsewhere = serves || sinks.length > 1 || (args.record ?? args.resume) !== undefined;
  const readerGone = goesElsewhere ? undefined : stdout?.readerGone;
  const stepping = args.step ? stepByLine(emulator.run) : undefined;
  const interruption = new AbortController();
  const interrupted = onInterrupt(emulator).then(() => interruption.abort());
  if (emulator.bootstrapServers !== undefined) say(describeBroker(emulator.bootstrapServers));
  if (emulator.pageUrl !== undefined) say(`Page on ${emulator.pageUrl}`);
  if (emulator.streamUrl !== undefined) say(`Events on ${emulator.streamUrl} (subprotocol busbar.v1)`);
  for (const line of describeApi(emulator, args)) say(line);
  // A line that is written over again and again would tear events on the same screen.
  const isShared = stdout !== undefined && process.stdout.isTTY;
  const hideProgress = isShared ? () => undefined : showProgress(emulator.run);

  readerGone?.addEventListener('abort', () => void emulator.run.stop());
  try {
    if (emulator.url !== undefined) say(`Steered at ${emulator.url}/emulator/v1/`);
    const summary = await emulator.finished.finally(hideProgress);
    if (readerGone?.aborted !== true) say(describe(summary));
    if (serves && !interruption.signal.aborted && args['exit-when-done'] !== true) {
      say('The run is over; what it sent stays there to be read. Ctrl-C ends the emulator.');
      await emulator.run.over.then(() => interrupted);
    }
  } finally {
    stepping?.close();
    await emulator.stop();
  }
}

/** Enter lets one thing happen; the end of the input lets the rest happen. */
function stepByLine(run: Run): Interface {
  return createInterface({ input: process.stdin })
    .on('line', () => run.step())
    .on('close', () => run.resume());
}

/** Resolves when the command is asked to end, having begun to stop the run. */
function onInterrupt(emulator: Playback): Promise<void> {
  return new Promise((resolve) => {
    onStopSignal((exitCode) => {
      process.exitCode = exitCode;
      void emulator.run.stop().catch(() => undefined);
      resolve();
    });
  });
}

function describeBroker(bootstrapServers: string): string {
  return `Kafka on ${bootstrapServers}, topic ${eventTopic}: an embedded broker for development and tests, in memory`;
}

/** A key that was made is shown here, once, and in no log. */
function describeApi({ apiUrl, apiKeys }: Playback, args: SendArguments): string[] {
  if (apiUrl === undefined) return [];
  const plain = apiUrl.startsWith('http:') ? ' (plain HTTP: the platform itself has HTTPS only)' : '';
  const made = args['api-key'] === undefined ? [`Its API key: ${apiKeys.join(', ')}`] : [];
  return [`REST API on ${apiUrl}${plain}`, ...made];
}

/** Logs go to standard error: standard output may be the stream of events. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
