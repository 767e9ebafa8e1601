import type { Catalogue } from 'busbar/catalogue';
import { eventNamed } from 'busbar/internal/catalogue';
import type { Instant } from '../engine/time.js';
import { readField } from '../samples/field-path.js';
import { type SampleOptions, samplerOf } from '../samples/sampler.js';
import { requireSendable } from '../samples/sendable.js';
import { buildPayloads, check, type Order } from '../samples/build-payloads.js';
import type { World } from '../world/cell.js';
import type { EventInput } from './inputs.js';

/** Options of a triggered event. */
export interface TriggerOptions extends Order {
  /** Number of events, up to 1,000. Default 1. */
  readonly count?: number;
  /** Payload. Default: a drawn one. */
  readonly payload?: unknown;
  /** Partition key. Default: the entity that the payload names. */
  readonly key?: string;
  /** Virtual instant of sending. Default: now. */
  readonly at?: Instant;
}

export interface TriggerTarget {
  readonly catalogue: Catalogue;
  readonly world: World;
  readonly now: Instant;
  /** Number of inputs so far, so that each event is about another household. */
  readonly nth: number;
}

/** Makes the events of a trigger, each with the account that its payload names. @throws BusbarError */
export async function triggered(
  name: string,
  options: TriggerOptions,
  { catalogue, world, now, nth }: TriggerTarget,
): Promise<readonly (Omit<EventInput, 'cell'> & { readonly account: string | undefined })[]> {
  const { count = 1, payload: fixed } = options;
  requireSendable('payload', fixed);
  const event = eventNamed(catalogue, name);
  const sampler = samplerOf(await catalogue.documents(), { seed: world.seed, start: now, world });
  const target = { catalogue, event, sampler };
  const order = buildPayloads(options, target);
  const events = [];
  for (let each = 0; each < count; each++) {
    const drawn =
      fixed === undefined ? order.draw(nth + each) : order.overlay(structuredClone(fixed), 'payload');
    const payload = order.damage(drawn);
    await check(options, target, payload);
    const named = readField(payload, ['account_number']);
    const account = typeof named === 'string' ? named : undefined;
    const key = options.key ?? sampler.keyOf(event, payload, nth + each);
    events.push({ kind: 'event', type: event.type, version: event.version, key, payload, account } as const);
  }
  return events;
}

/** A payload and its partition key. */
export interface Sampled {
  /** Catalogue name of the event. */
  readonly event: string;
  readonly key: string;
  readonly payload: unknown;
}

/** Draws a payload as a trigger does, without sending it. @throws BusbarError `unknown-event` */
export async function sampled(
  name: string,
  options: Pick<SampleOptions, 'nth' | 'fields'>,
  { catalogue, world, now }: Omit<TriggerTarget, 'nth'>,
): Promise<Sampled> {
  const { nth = 0 } = options;
  const event = eventNamed(catalogue, name);
  const sampler = samplerOf(await catalogue.documents(), { seed: world.seed, start: now, world });
  const payload = sampler.sample(event, { ...options, nth });
  return { event: event.name, key: sampler.keyOf(event, payload, nth), payload };
}
