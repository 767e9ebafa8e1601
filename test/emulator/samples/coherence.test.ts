import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createSampler } from '../../../emulator/samples/sampler.js';
import { type Found, walk } from './walk.js';

const catalogue = openCatalogue();
type Payload = Record<string, unknown>;
type Law = (payload: Payload, at: number, event: string) => void;

/** Whatever the season and the time of day. */
const decade = { min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 0, 1) };

/** Holds the law against every event that `concerns` it, over seeds, numbers and times. */
async function check(concerns: RegExp, law: Law, numRuns = 25): Promise<void> {
  const events = catalogue.events.filter(({ name }) => concerns.test(name));
  expect(events.length).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.nat(1_000_000), fc.integer(decade), async (seed, nth, start) => {
      const sampler = await createSampler({ catalogue, seed, start });
      for (const event of events) {
        law(sampler.sample(event, { nth, fields: 'full' }), sampler.instantOf(nth), event.name);
      }
    }),
    { numRuns },
  );
}

const objects = (payload: Payload): Payload[] => [
  payload,
  ...walk(payload)
    .map(({ value }) => value)
    .filter((value): value is Payload => typeof value === 'object' && value !== null),
];

describe('a sample agrees with itself', () => {
  it('no time and no date lies in the future, unless its name says so', () => {
    const future =
      /^(snoozed_to|expiry_window_end|.*_expiry_date|pause_end_date|.*_to|end|end_at|begin|optimization_.*|requested_supply_.*|supply_start_date|supply_end_date|confirmed_ssd|effective_(from|to)_date|days_before_expiry)$/;
    return check(/./, (payload, at, event) => {
      for (const { name, value, names } of walk(payload)) {
        if (typeof value !== 'string' || future.test(name) || names.includes('changes')) continue;
        if (!/^\d{4}-\d\d-\d\d/.test(value)) continue;
        // A date is one of London, where in summer the day begins an hour before it does in UTC.
        const latest = value.length === 10 ? at + 3_600_000 : at;
        expect([event, name, Date.parse(value) <= latest]).toEqual([event, name, true]);
      }
    });
  });

  it('what has a beginning does not end before it', () => {
    const pairs = [
      ['start', 'end'],
      ['begin', 'end'],
      ['start_at', 'end_at'],
      ['valid_from', 'valid_to'],
      ['effective_from', 'effective_to'],
      ['period_start', 'period_end'],
      ['pause_start_date', 'pause_end_date'],
      ['supply_start_at', 'supply_end_at'],
      ['supply_start_date', 'supply_end_date'],
      ['optimization_begin', 'optimization_end'],
      ['rolled_on_to_agreement_valid_from', 'rolled_on_to_agreement_valid_to'],
      ['campaign_account_expiry_date', 'campaign_expiry_date'],
    ] as const;
    return check(/./, (payload, _at, event) => {
      for (const object of objects(payload)) {
        for (const [from, to] of pairs) {
          const [begins, ends] = [object[from], object[to]];
          if (typeof begins !== 'string' || typeof ends !== 'string' || ends === '') continue;
          expect([event, from, Date.parse(begins) <= Date.parse(ends)]).toEqual([event, from, true]);
        }
      }
    });
  });

  it('electricity has an MPAN and gas an MPRN, and both names of it are one', () =>
    check(/./, (payload) => {
      for (const point of objects(payload)) {
        const { market_name: market, external_identifier: identifier, market_identifier: same } = point;
        if (typeof market !== 'string' || typeof identifier !== 'string') continue;
        expect(identifier).toHaveLength(market === 'GBR_ELECTRICITY' ? 13 : 10);
        if (same !== undefined) expect(same).toBe(identifier);
      }
    }));

  it('no supply point comes twice in a list', () =>
    check(/lifecycle/, (payload) => {
      for (const list of Object.values(payload).filter((value) => Array.isArray(value))) {
        const ids = (list as Payload[]).map(({ external_identifier }) => external_identifier);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }));

  it('one account, one user and one conversation: each has one number wherever it is named', () =>
    check(/./, (payload) => {
      const found = walk(payload);
      const values = (names: RegExp) =>
        new Set(found.filter(({ name }) => names.test(name)).map(({ value }) => value)).size;
      expect(values(/^account_number$/)).toBeLessThanOrEqual(1);
      expect(values(/^(account_user|user|latest_contacted_account_user)_number$/)).toBeLessThanOrEqual(1);
      expect(values(/^(account_)?user_id$/)).toBeLessThanOrEqual(1);
      expect(values(/conversation_relay_id$/)).toBeLessThanOrEqual(1);
    }));

  it('a relay id decodes to the number beside it', () =>
    check(/^ink/, (payload) => {
      const decode = (relay: unknown) =>
        Number(Buffer.from(String(relay), 'base64').toString().split(':')[1]);
      for (const what of ['conversation', 'message']) {
        if (!(`${what}_id` in payload) || !(`${what}_relay_id` in payload)) continue;
        expect(decode(payload[`${what}_relay_id`])).toBe(payload[`${what}_id`]);
      }
    }));

  it('readings have no more digits than the meter, and disputed ones differ by 50 to 900', () =>
    check(/meterpoint\.gas/, (payload) => {
      const { meter_digits: digits, disputed_reading: disputed, proposed_reading: proposed } = payload;
      for (const reading of [payload.last_reading, disputed, proposed]) {
        if (reading === undefined || digits === undefined) continue;
        expect(Number(reading)).toBeLessThan(10 ** Number(digits));
        expect(Number(reading)).toBeGreaterThanOrEqual(0);
      }
      if (disputed !== undefined) {
        const apart = Math.abs(Number(disputed) - Number(proposed));
        expect(apart).toBeGreaterThanOrEqual(50);
        expect(apart).toBeLessThanOrEqual(900);
      }
      if (payload.meter_is_imperial !== undefined) expect(digits).toBe(payload.meter_is_imperial ? 4 : 5);
      if (payload.is_gain !== undefined) expect(typeof payload.is_gain).toBe('boolean');
    }));

  it('an independent transporter is named for exactly the gas that is in its network', () =>
    check(
      /cos_gain.registration.confirmed/,
      ({ mprn, is_igt_mam }) => expect(is_igt_mam).toBe(/^7[4-7]/.test(String(mprn))),
      400,
    ));

  it('disputes about opening readings are gains, about closing readings they are not', () =>
    check(/disputed_.*_reading/, (payload, _at, event) => {
      if (payload.is_gain !== undefined) expect(payload.is_gain).toBe(event.includes('opening'));
      expect(payload.initiating_organisation).not.toBe(payload.recipient_organisation);
    }));

  it('an entry of a ledger is exactly one of charge, credit, payment and repayment', () =>
    check(/billing\.ledger\.entry_.*-v2/, ({ entry }) => {
      const { is_charge, is_credit, is_payment, is_repayment, source_type } = entry as Payload;
      expect([is_charge, is_credit, is_payment, is_repayment].filter(Boolean)).toHaveLength(1);
      if (source_type !== undefined) {
        const flags = { CHARGE: is_charge, CREDIT: is_credit, PAYMENT: is_payment, REPAYMENT: is_repayment };
        expect(flags[source_type as keyof typeof flags]).toBe(true);
      }
    }));

  it('a plan for charging holds together: windows, energy and states of charge', () =>
    check(
      /flex_device.optimisation_created/,
      (payload, at) => {
        const plan = payload.payload as Record<string, never> & { dispatches: Payload[] };
        const [begin, end] = [Date.parse(plan.optimization_begin!), Date.parse(plan.optimization_end!)];
        const halfHour = 1_800_000;
        let energy = 0;
        let before = begin;
        for (const dispatch of plan.dispatches) {
          const [from, to] = [Date.parse(String(dispatch.begin)), Date.parse(String(dispatch.end))];
          expect(from % halfHour).toBe(0);
          expect(to % halfHour).toBe(0);
          expect(from).toBeGreaterThanOrEqual(before);
          expect(to).toBeGreaterThan(from);
          before = to;
          energy += (Number(dispatch.power) * (to - from)) / 3_600_000;
        }
        expect(before).toBeLessThanOrEqual(end);
        expect(begin).toBeLessThanOrEqual(at);
        expect(plan.dispatches.length).toBeGreaterThanOrEqual(1);
        expect(plan.dispatches.length).toBeLessThanOrEqual(4);
        const start: number = plan.start_soc!;
        const target: number = plan.user_target_soc!;
        const reached = Math.min(target, Math.floor(start + (energy * 92) / plan.energy_capacity!));
        expect(plan.achievable_target_soc).toBe(reached);
        expect(plan.will_reach_target_soc).toBe(reached >= target);
        expect(plan.capped_target_soc).toBeLessThanOrEqual(target);
        for (const soc of [start, target, reached]) expect(soc).toBeGreaterThanOrEqual(0);
        expect(target).toBeLessThanOrEqual(100);
      },
      200,
    ));

  it('a plan without dispatches reaches what it starts with', async () => {
    const sampler = await createSampler({ catalogue });
    const event = catalogue.named('flex_device.optimisation_created-v1')!;
    const plan = sampler.sample(event, { lists: 'empty' }).payload as Payload;
    expect(plan.dispatches).toEqual([]);
    expect(plan.achievable_target_soc).toBe(plan.start_soc);
    expect(plan.will_reach_target_soc).toBe(false);
  });

  it('changes say what a field was and what it is, and those differ', () =>
    check(/./, (payload) => {
      const { changes } = payload;
      if (changes === undefined || 'requires_postal_comms' in (changes as Payload)) return;
      const entries = Object.values(changes as Record<string, Payload>);
      expect(entries.length).toBeGreaterThan(0);
      for (const change of entries) {
        expect(Object.keys(change)).toEqual(['old', 'new']);
        expect(change.new).not.toEqual(change.old);
      }
    }));

  it('amounts of money are plausible, in pence', () =>
    check(/./, (payload) => {
      const amounts = walk(payload).filter(({ name }) => /(^|_)amount$|^(previous|new)_value$/.test(name));
      for (const { value } of amounts.filter((each: Found) => typeof each.value === 'number')) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(250_000);
        expect(Number.isInteger(value)).toBe(true);
      }
      if (payload.previous_value !== undefined) expect(payload.new_value).not.toBe(payload.previous_value);
      if (payload.returned_amount !== undefined) {
        expect(payload.returned_amount).toBeLessThanOrEqual(Number(payload.amount));
      }
    }));

  it('supply points past their date are some of all, and those that no longer come were cancelled', () =>
    check(/loyalty/, (payload, at) => {
      const all = payload.all_supply_points as Payload[] | undefined;
      if (all === undefined) return;
      if (payload.supply_points_past_ssd !== undefined) {
        const past = all.filter(({ confirmed_ssd }) => Date.parse(String(confirmed_ssd)) <= at);
        expect(payload.supply_points_past_ssd).toEqual(past);
      }
      for (const point of (payload.supply_points_no_longer_coming_on_supply ?? []) as Payload[]) {
        expect(all).toContainEqual(point);
        expect(point.was_cancelled).toBe(true);
      }
    }));

  it('the postcode, the distributor and the tariff are of one region', async () => {
    const letters: Record<string, string> = {
      ...{ 10: 'A', 11: 'B', 12: 'C', 13: 'D', 14: 'E', 15: 'F', 16: 'G', 17: 'P', 18: 'N', 19: 'J' },
      ...{ 20: 'H', 21: 'K', 22: 'L', 23: 'M' },
    };
    const own = openCatalogue({
      events: [
        {
          $id: 'home.seen-v1',
          'x-event-type': 'home.seen',
          'x-event-version': 'v1',
          'x-group': 'own',
          title: 'HomeSeen',
          description: 'A home was seen.',
          type: 'object',
          properties: {
            mpan: { type: 'string' },
            postcode: { type: 'string' },
            tariff_code: { type: 'string' },
          },
          required: ['mpan', 'postcode', 'tariff_code'],
        },
      ],
    });
    const sampler = await createSampler({ catalogue: own });
    for (let nth = 0; nth < 100; nth++) {
      const home = sampler.sample(own.named('home.seen-v1')!, { nth }) as Record<string, string>;
      const letter = letters[home.mpan!.slice(0, 2)]!;
      expect(home.postcode![1]).toBe(letter);
      expect(home.tariff_code).toMatch(new RegExp(`^(E-[1-4]R|G-1R)-.*-\\d\\d-\\d\\d-\\d\\d-${letter}$`));
    }
  });
});
