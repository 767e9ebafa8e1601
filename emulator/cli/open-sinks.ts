import type { InferredOptionTypes } from 'yargs';
import { BusbarError } from '../../src/base/errors.js';
import { saslOptions } from '../../src/cli/connection-flags.js';
import { fileSink } from '../sinks/file.js';
import { kafkaSink } from '../sinks/kafka.js';
import type { Sink } from '../sinks/sink.js';
import { type StdoutSink, stdoutSink } from '../sinks/stdout.js';
import { webhookSink } from '../sinks/webhook.js';
import { given } from './given.js';
import { parseSize } from './parse-options.js';
import { secretFrom } from './secret-from.js';
import type { sendOptions } from './send-options.js';

/** How fast and where to, as yargs hands it on. */
export type SendArguments = InferredOptionTypes<typeof sendOptions>;

export interface OpenSinks {
  /** All that `--to` names, the emulator's own servers aside. */
  readonly sinks: readonly Sink[];
  readonly stdout: StdoutSink | undefined;
}

/** @param append Go on in files that are there: the run resumes. */
export async function openSinks(args: Partial<SendArguments>, append: boolean): Promise<OpenSinks> {
  const to = new Set(args.to);
  requireTogether(to, args);
  // Options first, connections last: what is wrong is told before anything is opened.
  const stdout = to.has('stdout') ? stdoutSink() : undefined;
  const webhook = to.has('webhook') ? await openWebhook(args) : undefined;
  const file = to.has('file') ? await openFile(args, append) : undefined;
  const kafka = to.has('kafka') ? await openKafka(args) : undefined;
  return { stdout, sinks: [stdout, file, webhook, kafka].filter((sink) => sink !== undefined) };
}

/** The options of each way out; it cannot be without the first. */
const options = {
  file: ['file', 'file-max-size', 'file-max-events'],
  webhook: ['webhook-url', 'webhook-batch', 'webhook-secret-file', 'webhook-attempts'],
  kafka: ['brokers', 'topic', 'topic-per', 'compression', 'kafka-retries', 'kafka-ssl', 'kafka-sasl'],
} as const;

function requireTogether(to: ReadonlySet<string>, args: Partial<SendArguments>): void {
  for (const [name, [place, ...others]] of Object.entries(options)) {
    if (to.has(name) && args[place] === undefined) {
      throw new BusbarError('invalid-option', `"--to ${name}" needs to know where: add --${place}.`);
    }
    const idle = [place, ...others].find((option) => args[option] !== undefined);
    if (!to.has(name) && idle !== undefined) {
      throw new BusbarError('invalid-option', `"--${idle}" is about --to ${name}: add that.`);
    }
  }
}

function openFile(args: Partial<SendArguments>, append: boolean): Promise<Sink> {
  return fileSink({
    path: args.file ?? '',
    append,
    ...given('maxBytes', args['file-max-size'], (text) => parseSize('file-max-size', text)),
    ...given('maxEvents', args['file-max-events']),
  });
}

async function openWebhook(args: Partial<SendArguments>): Promise<Sink> {
  const path = args['webhook-secret-file'];
  const secret = await secretFrom(path, 'BUSBAR_WEBHOOK_SECRET', 'secret for the webhook');
  return webhookSink({
    url: args['webhook-url'] ?? '',
    ...given('batch', args['webhook-batch']),
    ...given('attempts', args['webhook-attempts']),
    ...given('secret', secret),
  });
}

function openKafka(args: Partial<SendArguments>): Promise<Sink> {
  return kafkaSink({
    brokers: (args.brokers ?? '').split(',').map((broker) => broker.trim()),
    ...given('ssl', args['kafka-ssl']),
    ...saslOptions(args['kafka-sasl']),
    ...given('topic', args.topic),
    ...given('topicPer', args['topic-per']),
    ...given('compression', args.compression),
    ...given('retries', args['kafka-retries']),
  });
}
