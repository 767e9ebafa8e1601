import { createInterface, type Interface } from 'node:readline';
import { BusbarError, onStopSignal, stderrLogger } from 'busbar/base';
import type { KeepOptions, PaceOptions, Playback, SendOptions } from '../index.js';
import type { Run } from '../run/run.js';
import { eventTopic } from '../sinks/broker.js';
import { type OpenSinks, openSinks } from './open-sinks.js';
import { showProgress } from './progress.js';
import type { SendFlags, WayFlags } from './run-flags.js';
import { formatSummary } from './summary.js';

/** The emulator's own servers, as `--to` names them. */
const servers = ['broker', 'websocket'];

/** Options that both a run and a replay have. */
type PlayOptions = PaceOptions & SendOptions;

/**
 * Opens the sinks, starts a run or a replay into them, and follows it to its end.
 * @param run Files that the run writes.
 */
export async function play(
  flags: WayFlags,
  sendFlags: SendFlags,
  start: (options: PlayOptions) => Promise<Playback>,
  run: KeepOptions = {},
): Promise<void> {
  const options = playOptions(flags, sendFlags);
  const opened = await openSinks(flags, servers, run.resume !== undefined);
  const { sinks } = opened;
  const playback = await start({ ...options, run: { ...options.run, ...run }, sinks }).catch(
    async (error: unknown) => {
      for (const sink of sinks) await sink.close();
      throw error;
    },
  );
  const isKept = (run.record ?? run.resume) !== undefined;
  await followRun(playback, flags, opened, isKept);
}

/** Returns the options that the flags set. @throws BusbarError `invalid-option`, naming the flag */
function playOptions(flags: WayFlags, sendFlags: SendFlags): PlayOptions {
  const { to = servers, instant, step, tls, api, apiKey } = flags;
  const { kafkaPort, httpPort, host, insecure, waitForConsumer, ...pace } = sendFlags;
  const overHttp = { host, tls, insecure, api, 'api-key': apiKey };
  const unused = Object.entries(overHttp).find(([, value]) => value !== undefined);
  const http = serverOf(httpPort, to.includes('websocket'));
  if (http === false && unused !== undefined) {
    throw new BusbarError('invalid-option', `"--${unused[0]}" needs the HTTP server. Add --http-port.`);
  }
  return {
    ...pace,
    ...((instant || step) && { speed: 'instant' }),
    ...((api ?? apiKey) && { platformApi: { ...api, ...(apiKey && { apiKeys: apiKey }) } }),
    run: { paused: step === true, ...(waitForConsumer && { waitForConsumer }) },
    kafka: serverOf(kafkaPort, to.includes('broker')),
    http: http && { ...http, ...tls, ...(host && { host }), ...(insecure && { insecure }) },
    logger: stderrLogger,
  };
}

function serverOf(port: number | false | undefined, isNamed: boolean): { readonly port?: number } | false {
  return port === undefined ? isNamed && {} : port !== false && { port };
}

/**
 * Follows a run to its end; with servers, until it is interrupted. Prints the addresses, the progress and the summary.
 */
async function followRun(
  emulator: Playback,
  flags: WayFlags,
  { sinks, stdout }: OpenSinks,
  isKept: boolean,
): Promise<void> {
  const serves = (emulator.url ?? emulator.bootstrapServers) !== undefined;
  const goesElsewhere = serves || sinks.length > 1 || isKept;
  const readerGone = goesElsewhere ? undefined : stdout?.readerGone;
  const stepping = flags.step ? stepByLine(emulator.run) : undefined;
  const interruption = new AbortController();
  const interrupted = onInterrupt(emulator).then(() => interruption.abort());
  if (emulator.bootstrapServers !== undefined) say(describeBroker(emulator.bootstrapServers));
  if (emulator.pageUrl !== undefined) say(`Dashboard on ${emulator.pageUrl}`);
  if (emulator.streamUrl !== undefined) say(`Events on ${emulator.streamUrl} (subprotocol busbar.v1)`);
  for (const line of describeApi(emulator, flags)) say(line);
  // The progress line would break up events on the same terminal.
  const isShared = stdout !== undefined && process.stdout.isTTY;
  const hideProgress = isShared ? () => undefined : showProgress(emulator.run);

  readerGone?.addEventListener('abort', () => void emulator.run.stop());
  try {
    if (emulator.url !== undefined) say(`Control API: ${emulator.url}/emulator/v1/`);
    const summary = await emulator.finished.finally(hideProgress);
    if (readerGone?.aborted !== true) say(formatSummary(summary));
    if (serves && !interruption.signal.aborted && flags.exitWhenDone !== true) {
      say('Run finished. Events stay readable until Ctrl-C.');
      await emulator.run.over.then(() => interrupted);
    }
  } finally {
    stepping?.close();
    await emulator.stop();
  }
}

/** Advances the run by one event per line of standard input. The end of the input resumes the run. */
function stepByLine(run: Run): Interface {
  return createInterface({ input: process.stdin })
    .on('line', () => run.step())
    .on('close', () => run.resume());
}

/** Stops the run at the first signal, and resolves. */
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

/** Returns lines about the REST API. A generated key appears here only, never in a log. */
function describeApi({ apiUrl, apiKeys }: Playback, flags: WayFlags): string[] {
  if (apiUrl === undefined) return [];
  const plain = apiUrl.startsWith('http:') ? ' (plain HTTP: the platform itself has HTTPS only)' : '';
  const key = flags.apiKey === undefined ? [`Its API key: ${apiKeys.join(', ')}`] : [];
  return [`REST API on ${apiUrl}${plain}`, ...key];
}

/** Writes a line to standard error: standard output may be the stream of events. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
