import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createSampler, type SampleOptions } from '../../../emulator/samples/sampler.js';

const catalogue = openCatalogue();
const names = catalogue.events.map(({ name }) => name);
const eventOf = (name: string) => catalogue.named(name)!;

describe('a sample', () => {
  const kinds: Record<string, SampleOptions> = {
    'as usual': {},
    'with required fields only': { fields: 'minimal' },
    'with every field': { fields: 'full' },
    'with empty lists': { lists: 'empty' },
    'with required fields only and empty lists': { fields: 'minimal', lists: 'empty' },
  };

  it('is of all 268 event versions', () => expect(names).toHaveLength(268));

  it.each(names)('of %s is valid, with no field too many', async (name) => {
    const sampler = await createSampler({ catalogue });
    for (const options of Object.values(kinds)) {
      for (let nth = 0; nth < 3; nth++) {
        const payload = sampler.sample(eventOf(name), { ...options, nth });
        expect(await catalogue.explain(eventOf(name), payload, { strict: true })).toEqual([]);
      }
    }
  });

  it('is valid whatever the seed and the number', async () => {
    const validators = await Promise.all(catalogue.events.map((event) => catalogue.validator(event)));
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), fc.nat(10_000_000), async (seed, nth) => {
        const sampler = await createSampler({ catalogue, seed });
        const invalid = catalogue.events.filter(
          (event, index) => !validators[index]!(sampler.sample(event, { nth })),
        );
        expect(invalid.map(({ name }) => name)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('has the same bytes for the same seed and number, whatever was drawn before', async () => {
    const one = await createSampler({ catalogue, seed: 7 });
    const other = await createSampler({ catalogue, seed: 7 });
    const drawn = catalogue.events.map((event) => JSON.stringify(one.sample(event)));
    const backwards = catalogue.events
      .map((event, nth) => ({ event, nth }))
      .toReversed()
      .map(({ event, nth }) => JSON.stringify(other.sample(event, { nth })));
    expect(backwards.toReversed()).toEqual(drawn);
  });

  it('looks like this, on every machine', async () => {
    const sampler = await createSampler({ catalogue, seed: 1 });
    expect(
      sampler.sample(eventOf('lifecycle.leave-supplier.completed-v3'), { nth: 0 }),
    ).toMatchInlineSnapshot(`
      {
        "account_number": "A-6CD32BA9",
        "leave_supplier_process_id": 26818388,
        "leave_supplier_process_number": "LS-FE8E25F7",
        "leave_supplier_process_subtype": "CHANGE_OF_SUPPLIER",
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

  it('is another for every other seed and number', async () => {
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

  it('says the same in every version of an event when they share the number', async () => {
    const sampler = await createSampler({ catalogue, seed: 5 });
    for (const event of catalogue.events) {
      for (const version of catalogue.versionsOf(event.type)) {
        for (let nth = 0; nth < 5; nth++) {
          const one = sampler.sample(event, { nth, fields: 'full' });
          const other = sampler.sample(catalogue.find(event.type, version)!, { nth, fields: 'full' });
          const shared = Object.keys(one).filter((field) => field in other);
          for (const field of shared) expect(one[field]).toEqual(other[field]);
        }
      }
    }
  });

  it('has optional fields about seven times in ten, none when minimal, all when full', async () => {
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
