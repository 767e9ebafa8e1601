import type { Catalogue, CatalogueEvent } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { Instant } from '../engine/time.js';
import { readField } from '../samples/field-path.js';
import { createSampler, type SampleOptions } from '../samples/sampler.js';
import { requireShallow } from '../samples/nesting.js';
import { check, type Order, toOrder } from '../samples/to-order.js';
import type { EventInput } from './inputs.js';

/** How an event that is sent at will is made. */
export interface TriggerOptions extends Order {
  /** How many. Default 1, at most 1,000 at a time. */
  readonly count?: number;
  /** The payload, instead of one that is drawn. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The partition key. Default: what the payload says it is about. */
  readonly key?: string;
  /** A later virtual instant. Default: now. */
  readonly at?: Instant;
}

export interface TriggerPlace {
  readonly catalogue: Catalogue;
  readonly seed: number;
  readonly now: Instant;
  /** How many inputs there have been: every one is about another household. */
  readonly nth: number;
}

/** The events that are wanted, with the account that each is about, as far as its payload says so. @throws BusbarError */
export async function triggered(
  name: string,
  options: TriggerOptions,
  { catalogue, seed, now, nth }: TriggerPlace,
): Promise<readonly (Omit<EventInput, 'cell'> & { readonly account: string | undefined })[]> {
  const { count = 1, payload: given } = options;
  requireShallow('payload', given);
  const event = eventNamed(catalogue, name);
  const sampler = await createSampler({ catalogue, seed, start: now });
  const target = { catalogue, event, sampler };
  const order = toOrder(options, target);
  const events = [];
  for (let each = 0; each < count; each++) {
    const drawn =
      given === undefined ? order.draw(nth + each) : order.overlay(structuredClone({ ...given }), 'payload');
    const payload = order.damage(drawn);
    await check(options, target, payload);
    const named = readField(payload, ['account_number']);
    const account = typeof named === 'string' ? named : undefined;
    const key = options.key ?? sampler.keyOf(event, payload, nth + each);
    events.push({ kind: 'event', type: event.type, version: event.version, key, payload, account } as const);
  }
  return events;
}

/** A payload to begin with, and the key that it would be sent with. */
export interface Sampled {
  /** Catalogue name. */
  readonly event: string;
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a trigger would draw; nothing is sent. @throws BusbarError `unknown-event` */
export async function sampled(
  name: string,
  options: Pick<SampleOptions, 'nth' | 'fields'>,
  { catalogue, seed, now }: Omit<TriggerPlace, 'nth'>,
): Promise<Sampled> {
  const { nth = 0 } = options;
  const event = eventNamed(catalogue, name);
  const sampler = await createSampler({ catalogue, seed, start: now });
  const payload = sampler.sample(event, { ...options, nth });
  return { event: event.name, key: sampler.keyOf(event, payload, nth), payload };
}

/** By its name in the catalogue; a type stands for its newest version. @throws BusbarError `unknown-event` */
export function eventNamed(catalogue: Catalogue, name: string): CatalogueEvent {
  const event = catalogue.named(name) ?? catalogue.find(name, catalogue.versionsOf(name).at(-1) ?? '');
  if (event !== undefined) return event;
  const near = catalogue.nearest(name).map((each) => quoted(each));
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Names are listed in docs/events.md.';
  throw new BusbarError('unknown-event', `There is no event ${quoted(name)}. ${hint}`);
}
