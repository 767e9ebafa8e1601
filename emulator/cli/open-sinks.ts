import { BusbarError, didYouMean, nearest, quoted } from 'busbar/base';
import {
  flagsByName,
  flagsOf,
  type FlagTable,
  readParameters,
  readValue,
} from 'busbar/internal/command-line';
import { type ConnectionArguments, connectionFlags, saslOptions } from 'busbar/internal/connection-flags';
import type { EnvelopeCodec, Logger } from 'busbar';
import { fileSink, type FileSinkOptions, fileSinkOptions } from '../sinks/file.js';
import { kafkaSink, type KafkaSinkOptions, kafkaSinkOptions } from '../sinks/kafka.js';
import type { Sink } from '../run/sink.js';
import { type StdoutSink, stdoutSink } from '../sinks/stdout.js';
import { webhookSink, type WebhookSinkOptions, webhookSinkOptions } from '../sinks/webhook.js';
import { type SinkFlags, sinkFlags } from './run-flags.js';
import { secretFrom } from './secret-from.js';

const fileParameters: FlagTable<Pick<FileSinkOptions, 'maxBytes' | 'maxEvents'>> = flagsOf(fileSinkOptions, {
  maxBytes: [
    '<size>',
    'Start the next file before one exceeds this size',
    { name: 'max', read: readSize, expected: 'a size, e.g. 100MB' },
  ],
  maxEvents: ['<n>', 'Start the next file after this many events'],
});

const webhookParameters: FlagTable<Pick<WebhookSinkOptions, 'batch' | 'attempts'>> = flagsOf(
  webhookSinkOptions,
  {
    batch: ['<n>', 'Events per request, in an array if above 1'],
    attempts: ['<n>', 'Requests before giving up'],
  },
);

type KafkaParameters = Pick<KafkaSinkOptions, 'topicPer' | 'compression' | 'retries' | 'ssl'> &
  Pick<ConnectionArguments, 'sasl'>;

const kafkaParameters: FlagTable<KafkaParameters> = {
  ssl: { ...connectionFlags.ssl, name: 'tls' },
  sasl: connectionFlags.sasl,
  ...flagsOf(kafkaSinkOptions, {
    topicPer: ['<domain|type>', 'One topic per domain or event type'],
    compression: ['<gzip|none>', 'Compression of batches'],
    retries: ['<n>', 'Retries of a request'],
  }),
};

/** Parameters of an address, by kind of sink, e.g. `max` in `file:run.ndjson?max=100MB`. */
export const sinkParameters = { file: fileParameters, webhook: webhookParameters, kafka: kafkaParameters };

/** Values of `--to` for each kind that takes an address. */
const addresses = {
  file: 'file:run.ndjson',
  webhook: 'https://localhost:8443/events',
  kafka: 'kafka://localhost:9092/platform.events',
};

type Open = (append: boolean, logger: Logger) => Sink | Promise<Sink>;

/** Sinks by kind of address, in the order of opening: connections are last. */
const kinds: Readonly<
  Record<string, (address: string, parameters: readonly string[], flags: SinkFlags) => Open>
> = {
  stdout(address, parameters) {
    readParameters('--to stdout', {}, parameters);
    if (address !== '') throw invalid('"--to stdout" takes no address. Remove it.');
    return () => stdoutSink();
  },
  webhook(address, parameters) {
    requireAddress(address, 'webhook');
    const own = flagsByName(webhookParameters);
    const isOwn = (parameter: string) => own.has(parameter.replace(/=.*/s, ''));
    const options = readParameters('--to webhook', webhookParameters, parameters.filter(isOwn));
    const query = parameters.filter((parameter) => !isOwn(parameter)).join('&');
    const url = query === '' ? address : `${address}?${query}`;
    return async (_, logger) => {
      const secret = await secretFrom(undefined, 'BUSBAR_WEBHOOK_SECRET', 'secret for the webhook');
      return webhookSink({ url, logger, ...options, ...(secret !== undefined && { secret }) });
    };
  },
  file(path, parameters) {
    requireAddress(path, 'file');
    const options = readParameters('--to file', fileParameters, parameters);
    return (append) => fileSink({ path, append, ...options });
  },
  kafka(address, parameters, flags) {
    const { sasl, ...options } = readParameters('--to kafka', kafkaParameters, parameters);
    const [, brokers, topic] = /^(?:\/\/)?([^/]*)\/?(.*)$/s.exec(address) ?? [];
    const from = (name: 'brokers' | 'topic', part: string | undefined) => {
      if (part === undefined || part === '') return flags[name];
      // An address may hold a password.
      if (flags[name] === undefined)
        return readValue({ ...sinkFlags[name], isSecret: true }, '--to kafka', part);
      throw invalid(`"--${name}" repeats "--to kafka:". Remove one of them.`);
    };
    const given = { brokers: from('brokers', brokers), topic: from('topic', topic) };
    requireAddress(given.brokers, 'kafka');
    return (_, logger) =>
      kafkaSink({ ...(given as KafkaSinkOptions), ...options, ...saslOptions(sasl), logger });
  },
};

interface OpenOptions {
  readonly logger: Logger;
  /** Envelope of the events. Default: Busbar's own. */
  readonly envelope?: EnvelopeCodec | undefined;
  /** Names of the emulator's own servers, which are not opened. */
  readonly servers?: readonly string[];
  /** Whether files continue, because the run resumes. */
  readonly append?: boolean;
}

/** The sinks of `--to`, without the emulator's own servers. */
export type OpenSinks = Awaited<ReturnType<typeof openSinks>>;

/** Opens the sinks that `--to` names. @throws BusbarError `invalid-option` before anything is opened */
export async function openSinks(
  flags: SinkFlags,
  { logger, envelope, servers = [], append = false }: OpenOptions,
) {
  const targets: { readonly kind: string; readonly open: Open }[] = [];
  for (const to of new Set(flags.to)) {
    if (servers.includes(to)) continue;
    const [, kind = '', address = '', query = ''] = /^([^:?]*):?([^?]*)\??(.*)$/s.exec(asKind(to)) ?? [];
    const read = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (read === undefined) throw unknownKind(to, kind, servers);
    const hasHeaders = kind === 'kafka' || (kind === 'webhook' && !query.includes('batch='));
    if (envelope !== undefined && !hasHeaders) {
      // A dynamic import: the help needs no codec.
      const { requireInValue } = await import('../run/in-envelope.js');
      requireInValue(envelope, kind);
    }
    targets.push({ kind, open: read(address, query === '' ? [] : query.split('&'), flags) });
  }
  const unused = (['brokers', 'topic'] as const).find((name) => flags[name] !== undefined);
  if (unused !== undefined && !targets.some(({ kind }) => kind === 'kafka')) {
    throw invalid(`"--${unused}" needs a Kafka sink. Add --to kafka.`);
  }
  const sinks: Sink[] = [];
  for (const kind of Object.keys(kinds)) {
    for (const target of targets) if (target.kind === kind) sinks.push(await target.open(append, logger));
  }
  return { sinks, stdout: sinks.find((sink): sink is StdoutSink => sink.name === 'stdout') };
}

function asKind(to: string): string {
  return /^https?:/.test(to) ? `webhook:${to}` : to;
}

function unknownKind(to: string, kind: string, servers: readonly string[]): BusbarError {
  if (servers.includes(kind))
    return invalid(`"--to ${kind}" takes no address and no parameters. Remove them.`);
  const written = ['stdout', ...Object.values(addresses), ...servers].join(', ');
  const names = [...Object.keys(kinds), ...servers];
  const hint = didYouMean(nearest(kind, names, 1)) || ` Write one like these: ${written}.`;
  return invalid(`Sink kind ${quoted(kind === '' ? to : kind)} does not exist.${hint}`);
}

function requireAddress(address: unknown, kind: keyof typeof addresses): void {
  if (address === undefined || address === '')
    throw invalid(`"--to ${kind}" needs an address. Write --to ${addresses[kind]}.`);
}

function invalid(message: string): BusbarError {
  return new BusbarError('invalid-option', message);
}

function readSize(size: string): number {
  const [, amount, unit = 'B'] = /^(\d+)(B|kB|MB|GB)?$/.exec(size) ?? [];
  return Number(amount) * { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[unit as 'B' | 'kB' | 'MB' | 'GB'];
}
