import { BusbarError, quoted } from 'busbar/base';
import { eventNamed } from 'busbar/internal/catalogue';
import type { Console } from 'busbar/internal/command-line';
import type { Triggered } from '../control-api/generated/operations.js';
import { createSampler } from '../samples/sampler.js';
import { secretFrom } from './secret-from.js';
import { payloads, type PayloadArguments } from './trigger-payloads.js';

/** Longest wait for a response of the emulator, in milliseconds. */
const responseTimeout = 30_000;

/** The event to send. */
export interface TriggerArguments extends PayloadArguments {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
  readonly key?: string | undefined;
  readonly accessTokenFile?: string | undefined;
}

/** Sends an event into a running emulator by its control API, at the emulator's virtual time. */
export async function triggerRemote(url: string, args: TriggerArguments, console: Console): Promise<void> {
  const { set, unset, invalid, validate, count, key } = args;
  const order = { event: args.name, count, validate, set, unset, invalid, key };
  const token = await secretFrom(args.accessTokenFile, 'BUSBAR_ACCESS_TOKEN', 'access token');
  const body = args.raw === undefined && args.edit !== true ? order : await orderWithPayload(args, console);
  const { triggered } = await post(url, body, token);
  for (const each of triggered) {
    console.info(
      `Sent into ${new URL(url).origin}: "${each.event_type}-${each.version}" at ${each.at}, key ${each.key}`,
    );
  }
}

/** Returns the request with a payload from a file or an editor. */
async function orderWithPayload(args: TriggerArguments, console: Console) {
  const catalogue = await console.catalogue();
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

async function post(url: string, body: object, token: string | undefined): Promise<Triggered> {
  const address = new URL('/emulator/v1/trigger', url);
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(responseTimeout),
  }).catch((error: unknown) => {
    const message = `No emulator responds at ${quoted(address.origin)}. Start one with: npx emulate.`;
    throw new BusbarError('connection-failed', message, { cause: error });
  });
  const received = (await response.json().catch(() => ({}))) as Partial<Triggered> & {
    readonly message?: string;
  };
  if (response.ok && received.triggered !== undefined) return { triggered: received.triggered };
  if (response.status === 401) {
    const message =
      'The emulator requires its access token. Set BUSBAR_ACCESS_TOKEN, or name a file with --access-token-file.';
    throw new BusbarError('not-authorized', message);
  }
  const reason = received.message ?? `it responds with ${response.status}, unlike this release.`;
  throw new BusbarError(
    response.status === 400 ? 'invalid-option' : 'connection-failed',
    `The emulator rejects the event: ${reason}`,
  );
}
