import { openCatalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import { eventNamed } from '../run/trigger.js';
import { createSampler } from '../samples/sampler.js';
import { payloads, type PayloadArguments } from './trigger-payloads.js';

/** How long the emulator may take to answer, in milliseconds. */
const patience = 30_000;

/** What of the command's arguments is sent along. */
export interface ThereArguments extends PayloadArguments {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  readonly key?: string | undefined;
}

/** Sends an event into an emulator that runs, by its control API: on its broker and stream, at its virtual time. */
export async function triggerThere(url: string, args: ThereArguments): Promise<void> {
  const { set, unset, invalid, validate, count, key } = args;
  const order = { event: args.name, count, validate, set, unset, invalid, key };
  const answer = await post(url, args.raw === undefined && args.edit !== true ? order : await fixed(args));
  for (const each of answer.triggered) {
    process.stderr.write(
      `Sent into ${url}: "${each.event_type}-${each.version}" at ${each.at}, key ${each.key}\n`,
    );
  }
}

/** A payload from a file or an editor is made here, and sent as it is. */
async function fixed(args: ThereArguments) {
  const catalogue = openCatalogue();
  const event = eventNamed(catalogue, args.name);
  const sampler = await createSampler({ catalogue, seed: args.seed });
  const payload = (await payloads(args, { catalogue, event, sampler }))(0);
  const isDamaged = (args.invalid ?? []).length > 0;
  return {
    event: event.name,
    count: args.count,
    validate: args.validate && !isDamaged,
    payload,
    key: args.key,
  };
}

interface Triggered {
  readonly triggered: readonly { event_type: string; version: string; at: string; key: string }[];
}

async function post(url: string, body: object): Promise<Triggered> {
  const address = `${url.replace(/\/+$/, '')}/emulator/v1/trigger`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  }).catch((error: unknown) => {
    const message = `There is no emulator at ${quoted(url)}. Start one with: emulate.`;
    throw new BusbarError('connection-failed', message, { cause: error });
  });
  const answer = (await response.json().catch(() => ({}))) as Partial<Triggered> & {
    readonly message?: string;
  };
  if (response.ok && answer.triggered !== undefined) return { triggered: answer.triggered };
  const reason = answer.message ?? `it answers ${response.status}, as no emulator of this release does`;
  throw new BusbarError(
    response.status === 400 ? 'invalid-option' : 'connection-failed',
    `The emulator refuses: ${reason}`,
  );
}
