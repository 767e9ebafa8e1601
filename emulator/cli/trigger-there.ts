import { openCatalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { eventNamed } from '../run/trigger.js';
import { createSampler } from '../samples/sampler.js';
import { secretFrom } from './secret-from.js';
import { payloads, type PayloadArguments } from './trigger-payloads.js';

/** How long the emulator may take to answer, in milliseconds. */
const patience = 30_000;

/** What of the command's arguments is sent along. */
export interface ThereArguments extends PayloadArguments {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  readonly key?: string | undefined;
  readonly 'access-token-file'?: string | undefined;
}

/** Sends an event into an emulator that runs, by its control API: on its broker and stream, at its virtual time. */
export async function triggerThere(url: string, args: ThereArguments): Promise<void> {
  const { set, unset, invalid, validate, count, key } = args;
  const order = { event: args.name, count, validate, set, unset, invalid, key };
  const token = await secretFrom(args['access-token-file'], 'BUSBAR_ACCESS_TOKEN', 'access token');
  const body = args.raw === undefined && args.edit !== true ? order : await fixed(args);
  const answer = await post(url, body, token);
  for (const each of answer.triggered) {
    process.stderr.write(
      `Sent into ${new URL(url).origin}: "${each.event_type}-${each.version}" at ${each.at}, key ${each.key}\n`,
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

async function post(url: string, body: object, token: string | undefined): Promise<Triggered> {
  const address = new URL('/emulator/v1/trigger', url);
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
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
  if (response.status === 401) {
    const message =
      'The emulator asks for the access token that it printed: put it in BUSBAR_ACCESS_TOKEN or a file.';
    throw new BusbarError('not-authorized', message);
  }
  const reason = answer.message ?? `it answers ${response.status}, as no emulator of this release does`;
  throw new BusbarError(
    response.status === 400 ? 'invalid-option' : 'connection-failed',
    `The emulator refuses: ${reason}`,
  );
}
