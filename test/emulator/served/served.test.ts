import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { day } from '../../../emulator/engine/time.js';
import { servedInvariants, violationsIn } from '../../../emulator/served/index.js';
import { readServed } from '../../../emulator/served/read-served.js';
import { meterPointsOf, type Served } from '../../../emulator/served/served.js';
import { productCodeOf } from '../../../emulator/start/http-reader.js';

const accounts: Served[] = [];

beforeAll(async () => {
  const plan = { scenario: 'everyday', accounts: 40, seed: 5 };
  for await (const served of readServed(plan, defaultStart + 45 * day, openCatalogue()))
    accounts.push(served);
}, 120_000);

/** A way to break an invariant. It changes what is served about an account, if the account has what it changes. */
interface Break {
  readonly invariant: string;
  readonly how: string;
  readonly what: (served: Served) => void;
}

const agreementsOf = (served: Served) =>
  meterPointsOf(served).flatMap(({ isExport, agreements }) => (isExport ? [] : agreements));
const productOf = (served: Served, nth = 0) =>
  served.products.get(productCodeOf(agreementsOf(served).at(nth)?.tariff_code ?? '')) ?? {};
const chargeOf = ({ bills }: Served) => bills[0]?.charges[0];
const lineOf = (served: Served) => chargeOf(served)?.lines[0];
const ratesOf = (served: Served) =>
  [...served.unitRates.values()].map(({ results }) => results).filter(({ length }) => length > 4)[0] ?? [];

const breaks: readonly Break[] = [
  {
    invariant: 'agreements-without-gap',
    how: 'an agreement ends before the next begins',
    what(served) {
      for (const { agreements } of meterPointsOf(served))
        if (agreements.length > 1) Object.assign(agreements[0]!, { valid_to: '2025-01-01T00:00:00Z' });
    },
  },
  {
    invariant: 'agreements-without-gap',
    how: 'the first agreement begins after the customer moved in',
    what(served) {
      for (const home of served.account.properties) home.moved_in_at = '2010-01-01T00:00:00Z';
    },
  },
  {
    invariant: 'agreements-while-on-sale',
    how: 'a product is on sale only later',
    what: (served) => Object.assign(productOf(served), { available_from: '2026-12-01T00:00:00Z' }),
  },
  {
    invariant: 'agreements-while-on-sale',
    how: 'gas has the tariff of a half-hourly product',
    what(served) {
      for (const { agreements } of served.account.properties.flatMap((home) => home.gas_meter_points))
        for (const agreement of agreements) agreement.tariff_code = 'G-1R-AGILE-24-10-01-C';
    },
  },
  {
    invariant: 'terms-end',
    how: 'a term has no end',
    what(served) {
      for (const agreement of agreementsOf(served)) agreement.valid_to = null;
    },
  },
  {
    invariant: 'terms-end',
    how: 'an agreement lasts longer than its term',
    what(served) {
      for (const agreement of agreementsOf(served)) agreement.valid_to = '2090-01-01T00:00:00Z';
    },
  },
  {
    invariant: 'products-for-the-customer',
    how: 'a customer with a credit meter has a product for prepaid ones',
    what: (served) =>
      Object.assign(productOf(served), { is_prepay: served.own.payment_method !== 'PREPAYMENT' }),
  },
  {
    invariant: 'products-for-the-customer',
    how: 'a meter with one register has a night rate',
    what(served) {
      for (const home of served.account.properties)
        for (const point of home.electricity_meter_points) point.profile_class = 1;
      for (const agreement of agreementsOf(served))
        agreement.tariff_code = agreement.tariff_code.replace('E-1R', 'E-2R');
    },
  },
  {
    invariant: 'one-brand',
    how: 'one of two products is of another brand',
    what: (served) => {
      if (productOf(served) !== productOf(served, -1)) Object.assign(productOf(served), { brand: 'OTHER' });
    },
  },
  {
    invariant: 'rates-without-holes',
    how: 'a rate is missing between two others',
    what: (served) => (ratesOf(served) as unknown[]).splice(2, 1),
  },
  {
    invariant: 'rates-without-holes',
    how: 'a rate has no VAT',
    what: (served) => Object.assign(ratesOf(served)[0] ?? {}, { value_inc_vat: 1 }),
  },
  {
    invariant: 'charges-recompute',
    how: 'a charge is a penny too high',
    what: (served) => Object.assign(chargeOf(served) ?? {}, { amount: (chargeOf(served)?.amount ?? 0) + 1 }),
  },
  {
    invariant: 'charges-recompute',
    how: 'a line has a kilowatt-hour more',
    what: (served) => Object.assign(lineOf(served) ?? {}, { kwh: (lineOf(served)?.kwh ?? 0) + 1 }),
  },
  {
    invariant: 'lines-at-agreed-rates',
    how: 'a line has another rate than its tariff',
    what: (served) => Object.assign(lineOf(served) ?? {}, { unit_rate: 17.01 }),
  },
  {
    invariant: 'lines-at-agreed-rates',
    how: 'a line has another standing charge than its tariff',
    what: (served) => Object.assign(lineOf(served) ?? {}, { standing_charge: 17.01 }),
  },
  {
    invariant: 'bills-add-up',
    how: 'a bill leaves out a charge',
    what: ({ bills }) => bills[0]?.charges.pop(),
  },
  {
    invariant: 'balances-add-up',
    how: 'an entry is lost',
    what({ entries }) {
      for (const posted of entries.values()) (posted as unknown[]).pop();
    },
  },
  {
    invariant: 'readings-match-bills',
    how: 'a reading falls',
    what: ({ readings }) => {
      for (const rows of readings.values()) if (rows[1] !== undefined) rows[1].value -= 2_000;
    },
  },
  {
    invariant: 'readings-match-bills',
    how: 'a meter counts less than its bills charge',
    what: ({ readings }) => {
      for (const rows of readings.values()) for (const row of rows) row.kwh_per_unit /= 2;
    },
  },
  {
    invariant: 'first-event-explains',
    how: 'an agreement from before the run appears with the first event',
    what: ({ first }) => {
      const { own } = (first.before ?? {}) as { own?: Served['own'] };
      if (!first.events.some(({ type }) => type.startsWith('agreement'))) own?.agreements.pop();
    },
  },
];

describe('the invariants of what the APIs return', () => {
  it('accept a population', () => {
    expect(accounts.length).toBeGreaterThan(40);
    expect(accounts.flatMap(violationsIn)).toEqual([]);
  });

  it('accept that a completed move or switch is reversed first of all', () => {
    const ending = (to: string | null) => ({ own: { occupancies: [{ id: 1, to }] } });
    const events = [{ type: 'lifecycle.status-changed', payload: { new_status: 'REVERSED' } }];
    const first = { events, before: ending('2026-03-01T00:00:00Z'), after: ending(null) };
    expect(violationsIn({ ...accounts[0]!, first })).toEqual([]);
  });

  it('accept that a note from before the run is removed first of all', () => {
    const noted = (metadata: object) => ({ own: { occupancies: [{ id: 1, metadata }] } });
    const payload = { account_property_effective_period_id: 1, key: 'alarm_code_known', value: 'true' };
    const events = [{ type: 'account_property_effective_period_metadata.removed', payload }];
    const first = { events, before: noted({ alarm_code_known: 'true' }), after: noted({}) };
    expect(violationsIn({ ...accounts[0]!, first })).toEqual([]);
  });

  it('catch a broken account each', () => {
    const names = servedInvariants.map(({ name }) => name);
    expect([...new Set(breaks.map(({ invariant }) => invariant))].sort()).toEqual(names.sort());
  });

  it.each(breaks.map((each) => [each.invariant, each.how, each] as const))(
    '%s: catches that %s',
    (invariant, _how, { what }) => {
      const isCaught = accounts.some((served) => {
        const changed = structuredClone(served);
        what(changed);
        return violationsIn(changed).some((violation) => violation.invariant === invariant);
      });
      expect(isCaught).toBe(true);
    },
  );
});
