import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { playedEvents } from '../../../emulator/samples/played.js';
import { createSampler, type SampleOptions } from '../../../emulator/samples/sampler.js';
import sources from '../../../emulator/samples/sources.json' with { type: 'json' };
import { identifiers } from '../../../emulator/world/identifiers.js';
import { cases } from '../../cases.js';

const catalogue = openCatalogue();
const names = catalogue.events.map(({ name }) => name);
const at = Date.UTC(2026, 2, 2, 9);
const eventOf = (name: string) => catalogue.named(name)!;

describe('createSampler', () => {
  const kinds: Record<string, SampleOptions> = {
    'as usual': {},
    'with required fields only': { fields: 'minimal' },
    'with every field': { fields: 'full' },
  };

  const created = createSampler({ catalogue });
  it.each(names)('creates a valid %s without extra fields', async (name) => {
    const sampler = await created;
    for (const options of Object.values(kinds)) {
      for (let nth = 0; nth < cases(1, 2); nth++) {
        const payload = sampler.sample(eventOf(name), { ...options, nth });
        expect(await catalogue.explain(eventOf(name), payload, { strict: true })).toEqual([]);
      }
    }
  });

  it('creates valid samples for any seed and number', async () => {
    const validators = await Promise.all(catalogue.events.map((event) => catalogue.validator(event)));
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), fc.nat(10_000_000), async (seed, nth) => {
        const sampler = await createSampler({ catalogue, seed });
        const invalid = catalogue.events.filter(
          (event, index) => !validators[index]!(sampler.sample(event, { nth })),
        );
        expect(invalid.map(({ name }) => name)).toEqual([]);
      }),
      { numRuns: cases(1, 8) },
    );
  });

  it('creates equal bytes for equal seed and number, in any order', async () => {
    const one = await createSampler({ catalogue, seed: 7 });
    const other = await createSampler({ catalogue, seed: 7 });
    const drawn = catalogue.events.map((event) => JSON.stringify(one.sample(event)));
    const backwards = catalogue.events
      .map((event, nth) => ({ event, nth }))
      .toReversed()
      .map(({ event, nth }) => JSON.stringify(other.sample(event, { nth })));
    expect(backwards.toReversed()).toEqual(drawn);
  });

  it("plays the scenario of the type in the sample's household", () => {
    const sourced = Object.keys(sources).sort();
    expect(sourced).toEqual([...new Set(catalogue.events.map(({ type }) => type))].sort());
    const world = identifiers({ seed: 9, start: at, cells: 1_000 });
    for (const { type, version } of catalogue.events) {
      const played = [1, 2, 3, 4].map(
        (index) =>
          playedEvents({ seed: 9, identifiers: world, index }, { type, version, at }).next().done === false,
      );
      // Not every household has gas in the home that it moves to.
      expect([type, played.filter(Boolean).length > 1]).toEqual([type, true]);
    }
  });

  it('creates the recorded samples', async () => {
    const sampler = await createSampler({ catalogue, seed: 1 });
    expect(
      sampler.sample(eventOf('lifecycle.leave-supplier.completed-v3'), { nth: 0 }),
    ).toMatchInlineSnapshot(`
      {
        "account_number": "A-6CD32BA9",
        "leave_supplier_process_id": 125899996,
        "leave_supplier_process_number": "LS-FE8E25F7",
        "leave_supplier_process_subtype": "MOVE_OUT",
        "supply_points": [
          {
            "confirmed_supply_end_date": "2026-03-02",
            "external_identifier": "1599902306429",
            "market_name": "GBR_ELECTRICITY",
          },
          {
            "confirmed_supply_end_date": "2026-03-02",
            "external_identifier": "9939202102",
            "market_name": "GBR_GAS",
          },
        ],
      }
    `);
  });

  it('creates distinct samples for distinct seeds and numbers', async () => {
    const [one, other] = [
      await createSampler({ catalogue, seed: 1 }),
      await createSampler({ catalogue, seed: 2 }),
    ];
    const event = eventOf('lifecycle.join-supplier.requested-v1');
    const drawn = [...Array(50).keys()].flatMap((nth) => [
      one.sample(event, { nth }),
      other.sample(event, { nth }),
    ]);
    expect(new Set(drawn.map(({ account_number }) => account_number)).size).toBe(100);
  });

  it('agrees across versions with the same number', async () => {
    const sampler = await createSampler({ catalogue, seed: 5 });
    for (const event of catalogue.events) {
      for (const version of catalogue.versionsOf(event.type).filter((each) => each !== event.version)) {
        for (let nth = 0; nth < 3; nth++) {
          const one = sampler.sample(event, { nth, fields: 'full' });
          const other = sampler.sample(catalogue.find(event.type, version)!, { nth, fields: 'full' });
          const shared = Object.keys(one).filter((field) => field in other);
          for (const field of shared) expect(one[field]).toEqual(other[field]);
        }
      }
    }
  });

  it('fills 70 % of optional fields, none if minimal, all if full', async () => {
    const sampler = await createSampler({ catalogue });
    const event = eventOf('campaign_account.added-v1');
    const has = (fields: 'usual' | 'minimal' | 'full') =>
      [...Array(500).keys()].filter((nth) => 'campaign_slug' in sampler.sample(event, { nth, fields }))
        .length;
    expect(has('usual') / 500).toBeCloseTo(0.7, 1);
    expect(has('minimal')).toBe(0);
    expect(has('full')).toBe(500);
  });
});
