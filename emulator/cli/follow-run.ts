import { createInterface, type Interface } from 'node:readline';
import { BusbarError, defined } from 'busbar/base';
import type { BusbarConfig } from 'busbar/config';
import type { Console } from 'busbar/internal/command-line';
import type { KeepOptions, PaceOptions, Playback, SendOptions } from '../index.js';
import type { Run } from '../run/run.js';
import { eventTopic } from '../run/sink.js';
import { type OpenSinks, openSinks } from './open-sinks.js';
import { showRun } from './progress.js';
import type { WayFlags } from './run-flags.js';
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
  start: (options: PlayOptions) => Promise<Playback>,
  console: Console,
  run: KeepOptions = {},
): Promise<void> {
  const options = { ...playOptions(flags, console.config), logger: console.logger };
  const envelope = await console.envelope();
  const opened = await openSinks(flags, {
    logger: console.logger,
    envelope,
    servers,
    append: run.resume !== undefined,
  });
  const { sinks } = opened;
  const sent = { ...options, ...(envelope && { envelope }), sinks };
  const playback = await start({ ...sent, run: { ...options.run, ...run } }).catch(async (error: unknown) => {
    for (const sink of sinks) await sink.close();
    throw error;
  });
  const isKept = (run.record ?? run.resume) !== undefined;
  const apiKey = options.platformApi?.apiKeys;
  await followRun(playback, { ...flags, ...(apiKey && { apiKey }) }, opened, isKept, console);
}

/** Returns the options that the flags and the configuration set. @throws BusbarError `invalid-option`, naming the flag */
function playOptions(flags: WayFlags, { emulator = {} }: BusbarConfig): PlayOptions {
  const { to = servers, speed, rate, instant, step, waitForConsumer } = flags;
  const { kafkaPort, kafkaHost, kafkaAdvertised, httpPort, host, insecure, tls, api, apiKey } = flags;
  const http = serverOf(httpPort, to.includes('websocket'), emulator.http);
  if (http === false)
    refuseUnused({ host, tls, insecure, api, 'api-key': apiKey }, 'the HTTP server. Add --http-port.');
  const kafka = serverOf(kafkaPort, to.includes('broker'), emulator.kafka);
  if (kafka === false)
    refuseUnused(
      { 'kafka-host': kafkaHost, 'kafka-advertised': kafkaAdvertised },
      'the broker. Add --kafka-port.',
    );
  return {
    ...defined({ speed, rate }),
    ...((instant || step) && { speed: 'instant' }),
    ...(http && { platformApi: { ...emulator.platformApi, ...api, ...defined({ apiKeys: apiKey }) } }),
    run: { paused: step === true, ...defined({ waitForConsumer }) },
    kafka: kafka && { ...kafka, ...defined({ host: kafkaHost, advertised: kafkaAdvertised }) },
    http: http && { ...http, ...tls, ...defined({ host, insecure }) },
  };
}

/** @throws BusbarError `invalid-option` for a flag of a server that the run does not start */
function refuseUnused(flags: Readonly<Record<string, unknown>>, server: string): void {
  const unused = Object.entries(flags).find(([, value]) => value !== undefined);
  if (unused) throw new BusbarError('invalid-option', `"--${unused[0]}" needs ${server}`);
}

function serverOf<O extends { readonly port?: number }>(
  port: number | false | undefined,
  isNamed: boolean,
  configured: O | false | undefined,
): (O & { readonly port?: number }) | false {
  const isOn = port === undefined ? isNamed : port !== false;
  return isOn && { ...(configured || ({} as O)), ...(typeof port === 'number' && { port }) };
}

/**
 * Follows a run to its end; with servers, until it is interrupted. Prints the addresses, the progress and the summary.
 */
async function followRun(
  emulator: Playback,
  flags: WayFlags,
  { sinks, stdout }: OpenSinks,
  isKept: boolean,
  console: Console,
): Promise<void> {
  const serves = (emulator.url ?? emulator.bootstrapServers) !== undefined;
  const goesElsewhere = serves || sinks.length > 1 || isKept;
  const readerGone = goesElsewhere ? undefined : stdout?.readerGone;
  const stepping = flags.step ? stepByLine(emulator.run) : undefined;
  const interruption = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    console.onStop(() => {
      interruption.abort();
      void emulator.run.stop().catch(() => undefined);
      resolve();
    });
  });
  for (const line of addressLines(emulator, flags)) console.info(line);
  const hideProgress = showRun(emulator.run, console, stdout);

  readerGone?.addEventListener('abort', () => void emulator.run.stop());
  try {
    const summary = await emulator.finished.finally(hideProgress);
    if (readerGone?.aborted !== true) console.info(formatSummary(summary));
    if (serves && !interruption.signal.aborted && flags.exitWhenDone !== true) {
      console.info('Run finished. Events stay readable until Ctrl-C.');
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

/** Returns a line for each address. A generated key appears here only, never in a log. */
function addressLines(
  { pageUrl, bootstrapServers, streamUrl, apiUrl, apiKeys, url }: Playback,
  { apiKey }: WayFlags,
): string[] {
  const isPlain = apiUrl?.startsWith('http:') === true;
  const lines = {
    Dashboard: pageUrl,
    Kafka: bootstrapServers && `${bootstrapServers}, topic ${eventTopic}, in memory`,
    Events: streamUrl && `${streamUrl} (subprotocol busbar.v1)`,
    'REST API': apiUrl && `${apiUrl}${isPlain ? ' (plain HTTP: the platform itself has HTTPS only)' : ''}`,
    'API key': apiUrl && apiKey === undefined ? apiKeys.join(', ') : undefined,
    'Control API': url && `${url}/emulator/v1/`,
  };
  return Object.entries(lines).flatMap(([name, text]) => (text ? [`${name.padEnd(11)}  ${text}`] : []));
}
