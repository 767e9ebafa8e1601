import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createSampler } from '../../../emulator/samples/sampler.js';
import { cases } from '../../cases.js';
import { walk } from './walk.js';

const catalogue = openCatalogue();
type Payload = Record<string, unknown>;
type Law = (payload: Payload, at: number, event: string) => void;

/** Different seasons and times of day. */
const decade = { min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 0, 1) };

/** Checks the law for every event that it concerns, over seeds, numbers and times. */
async function check(concerns: RegExp, law: Law): Promise<void> {
  const events = catalogue.events.filter(({ name }) => concerns.test(name));
  expect(events.length).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.nat(1_000_000), fc.integer(decade), async (seed, nth, start) => {
      const sampler = await createSampler({ catalogue, seed, start });
      for (const event of events) {
        law(sampler.sample(event, { nth, fields: 'full' }), sampler.instantOf(nth), event.name);
      }
    }),
    { numRuns: cases(1, 4) },
  );
}

const objects = (payload: Payload): Payload[] => [
  payload,
  ...walk(payload)
    .map(({ value }) => value)
    .filter((value): value is Payload => typeof value === 'object' && value !== null),
];

describe('coherence of samples', () => {
  it('puts past times in the past', () =>
    check(/./, (payload, at, event) => {
      const past = walk(payload).filter(
        ({ name }) => /(_at|^timestamp)$/.test(name) && !name.includes('supply'),
      );
      for (const { name, value } of past) {
        expect([event, name, typeof value !== 'string' || !(Date.parse(value) > at)]).toEqual([
          event,
          name,
          true,
        ]);
      }
    }));

  it('gives electricity an MPAN and gas an MPRN, equal in both fields', () =>
    check(/./, (payload) => {
      for (const point of objects(payload)) {
        const { market_name: market, external_identifier: identifier, market_identifier: same } = point;
        if (typeof market !== 'string' || typeof identifier !== 'string') continue;
        expect(identifier).toHaveLength(market === 'GBR_ELECTRICITY' ? 13 : 10);
        if (same !== undefined) expect(same).toBe(identifier);
      }
    }));

  it('lists no supply point twice', () =>
    check(/lifecycle/, (payload) => {
      for (const list of Object.values(payload).filter((value) => Array.isArray(value))) {
        const ids = (list as Payload[]).map(({ external_identifier }) => external_identifier);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }));

  it('names account, user and conversation by one number each', () =>
    check(/./, (payload) => {
      const found = walk(payload);
      const values = (names: RegExp) =>
        new Set(found.filter(({ name }) => names.test(name)).map(({ value }) => value)).size;
      expect(values(/^account_number$/)).toBeLessThanOrEqual(1);
      expect(values(/^(account_user|user|latest_contacted_account_user)_number$/)).toBeLessThanOrEqual(1);
      expect(values(/^(account_)?user_id$/)).toBeLessThanOrEqual(1);
      expect(values(/conversation_relay_id$/)).toBeLessThanOrEqual(1);
    }));

  it('encodes the number next to a relay id in it', () =>
    check(/^ink/, (payload) => {
      const decode = (relay: unknown) =>
        Number(Buffer.from(String(relay), 'base64').toString().split(':')[1]);
      for (const what of ['conversation', 'message']) {
        if (!(`${what}_id` in payload) || !(`${what}_relay_id` in payload)) continue;
        expect(decode(payload[`${what}_relay_id`])).toBe(payload[`${what}_id`]);
      }
    }));
});
