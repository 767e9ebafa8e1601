import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { day, formatDay } from '../../../emulator/engine/time.js';
import { servedInvariants, violationsIn } from '../../../emulator/served/index.js';
import { member } from '../../../emulator/invariants/payload.js';
import { readServed } from '../../../emulator/served/read-served.js';
import {
  meterPointsOf,
  type Reading,
  type Served,
  type ServedAccount,
} from '../../../emulator/served/served.js';
import { productCodeOf } from '../../../emulator/start/http-reader.js';
import { named } from '../invariants/broken.js';

const accounts: Served[] = [];

beforeAll(async () => {
  const plan = { scenario: 'everyday', accounts: 40, seed: 5 };
  for await (const served of readServed(plan, defaultStart + 45 * day, openCatalogue()))
    accounts.push(served);
}, 120_000);

const agreementsOf = (served: Served) =>
  meterPointsOf(served).flatMap(({ isExport, agreements }) => (isExport ? [] : agreements));
const productOf = (served: Served, nth = 0) =>
  served.products.get(productCodeOf(agreementsOf(served).at(nth)?.tariff_code ?? '')) ?? {};
const chargeOf = ({ bills }: Served) => bills[0]?.charges[0];
const lineOf = (served: Served) => chargeOf(served)?.lines[0];
const ratesOf = (served: Served) =>
  [...served.unitRates.values()].map(({ results }) => results).filter(({ length }) => length > 4)[0] ?? [];

/** Returns what is served about the first account, with another first occupancy. */
function withOccupancy(changes: Partial<Served['own']['occupancies'][number]>): ServedAccount {
  const { account, own, bills } = accounts[0]!;
  const occupancy = { ...own.occupancies[0]!, ...changes };
  return { account, bills, own: { ...own, occupancies: [occupancy] } };
}

/** Ways to break invariants. They change what is served about an account, if the account has what they change. */
const breaks: Readonly<Record<string, (served: Served) => void>> = {
  'agreements-without-gap: an agreement ends before the next begins'(served) {
    for (const { agreements } of meterPointsOf(served))
      if (agreements.length > 1) Object.assign(agreements[0]!, { valid_to: '2025-01-01T00:00:00Z' });
  },
  'agreements-without-gap: the first agreement begins after the customer moved in'(served) {
    for (const home of served.account.properties) home.moved_in_at = '2010-01-01T00:00:00Z';
  },
  'supply-on-agreement: the occupier of a home has no agreement': (served) => {
    for (const { agreements } of meterPointsOf(served)) agreements.splice(0);
  },
  'supply-on-agreement: the agreement for one fuel ended months ago'({ account }) {
    for (const home of account.properties)
      for (const agreement of home.gas_meter_points.flatMap(({ agreements }) => agreements))
        Object.assign(agreement, { valid_to: '2025-06-01T00:00:00Z' });
  },
  'withdrawn-without-supply: an account with bills was withdrawn': ({ first }) => {
    const own = first.before?.own;
    Object.assign(own ?? {}, { status: 'WITHDRAWN' });
  },
  'agreements-while-on-sale: a product is on sale only later': (served) =>
    Object.assign(productOf(served), { available_from: '2026-12-01T00:00:00Z' }),
  'agreements-while-on-sale: gas has the tariff of a half-hourly product'(served) {
    for (const { agreements } of served.account.properties.flatMap((home) => home.gas_meter_points))
      for (const agreement of agreements) agreement.tariff_code = 'G-1R-AGILE-24-10-01-C';
  },
  'terms-end: a term has no end'(served) {
    for (const agreement of agreementsOf(served)) agreement.valid_to = null;
  },
  'terms-end: an agreement lasts longer than its term'(served) {
    for (const agreement of agreementsOf(served)) agreement.valid_to = '2090-01-01T00:00:00Z';
  },
  'products-for-the-customer: a customer with a credit meter has a product for prepaid ones': (served) =>
    Object.assign(productOf(served), { is_prepay: served.own.payment_method !== 'PREPAYMENT' }),
  'products-for-the-customer: a meter with one register has a night rate'(served) {
    for (const home of served.account.properties)
      for (const point of home.electricity_meter_points) point.profile_class = 1;
    for (const agreement of agreementsOf(served))
      agreement.tariff_code = agreement.tariff_code.replace('E-1R', 'E-2R');
  },
  'one-brand: one of two products is of another brand': (served) => {
    if (productOf(served) !== productOf(served, -1)) Object.assign(productOf(served), { brand: 'OTHER' });
  },
  'rates-without-holes: a rate is missing between two others': (served) =>
    (ratesOf(served) as unknown[]).splice(2, 1),
  'rates-without-holes: a rate has no VAT': (served) =>
    Object.assign(ratesOf(served)[0] ?? {}, { value_inc_vat: 1 }),
  'charges-recompute: a charge is a penny too high': (served) =>
    Object.assign(chargeOf(served) ?? {}, { amount: (chargeOf(served)?.amount ?? 0) + 1 }),
  'charges-recompute: a line has a kilowatt-hour more': (served) =>
    Object.assign(lineOf(served) ?? {}, { kwh: (lineOf(served)?.kwh ?? 0) + 1 }),
  'lines-at-agreed-rates: a line has another rate than its tariff': (served) =>
    Object.assign(lineOf(served) ?? {}, { unit_rate: 17.01 }),
  'lines-at-agreed-rates: a line has another standing charge than its tariff': (served) =>
    Object.assign(lineOf(served) ?? {}, { standing_charge: 17.01 }),
  'charges-within-bill: a bill begins after its first charge': ({ bills }) =>
    Object.assign(bills[0] ?? {}, { from: bills[0]?.to }),
  'charges-within-bill: a bill is issued before the end of its period': ({ bills }) =>
    Object.assign(bills[0] ?? {}, { issued_on: bills[0]?.from }),
  'charges-paid-or-overdue: the last payment was long ago'({ own, entries }) {
    for (const posted of entries.values())
      for (const entry of posted) Object.assign(entry, { kind: 'charge', amount: 1 });
    Object.assign(own.ledgers[0] ?? {}, { amount_owed: 100_000, overdue: 0 });
  },
  'bills-add-up: a bill leaves out a charge': ({ bills }) => bills[0]?.charges.pop(),
  'last-bill-settled: the account has left, and keeps a balance'({ account, bills, own }) {
    account.status = 'DORMANT';
    for (const home of account.properties) home.moved_out_at = '2025-01-01T00:00:00Z';
    Object.assign(bills[0] ?? {}, { issued_on: '2025-01-01', to: '2025-01-01' });
    Object.assign(own.ledgers[0] ?? {}, { amount_owed: 1, overdue: 0 });
  },
  'last-bill-settled: the account has left, and keeps a credit'({ account, bills, own }) {
    account.status = 'DORMANT';
    for (const home of account.properties) home.moved_out_at = '2025-01-01T00:00:00Z';
    Object.assign(bills[0] ?? {}, { issued_on: '2025-01-01', to: '2025-01-01' });
    Object.assign(own.ledgers[0] ?? {}, { amount_owed: -1, overdue: 0 });
  },
  'last-bill-settled: the account has left, and keeps a deposit'({ account, bills, own, entries }) {
    account.status = 'DORMANT';
    for (const home of account.properties) home.moved_out_at = '2025-01-01T00:00:00Z';
    Object.assign(bills[0] ?? {}, { issued_on: '2025-01-01', to: '2025-01-01' });
    Object.assign(own.ledgers[0] ?? {}, { amount_owed: 0, overdue: 0 });
    for (const [entry] of entries.values()) Object.assign(entry ?? {}, { on: '2025-01-01' });
    for (const posted of entries.values()) (posted as unknown[]).splice(1);
    own.ledgers.push({ number: 'L-0', amount_owed: -1, overdue: 0 });
  },
  'balances-add-up: an entry is lost'({ entries }) {
    for (const posted of entries.values()) (posted as unknown[]).pop();
  },
  'no-energy-while-off: a supply point was off before its bills': (served) => {
    const switches = [{ on: '2000-01-01', isOff: true }];
    Object.assign(served, { switches: new Map([[chargeOf(served)?.meter_point, switches]]) });
  },
  'returns-on-working-days: a payment is returned on a Sunday'({ entries }) {
    for (const entry of [...entries.values()].flat())
      if (entry.is_reversed) Object.assign(entry, { on: '2026-03-08' });
  },
  'readings-match-bills: a reading falls': ({ readings }) => {
    for (const rows of readings.values()) if (rows[1] !== undefined) rows[1].value -= 2_000;
  },
  'readings-match-bills: a meter counts less than its bills charge': ({ readings }) => {
    for (const rows of readings.values()) for (const row of rows) row.kwh_per_unit /= 2;
  },
  'first-event-explains: an agreement from before the run appears with the first event': ({ first }) => {
    const own = first.before?.own;
    if (!first.events.some(({ type }) => type.startsWith('agreement'))) own?.agreements.pop();
  },
};

describe('the invariants of what the APIs return', () => {
  it('accept a population', () => {
    expect(accounts.length).toBeGreaterThan(40);
    expect(accounts.flatMap(violationsIn)).toEqual([]);
  });

  it('accept accounts that come back', async () => {
    const plan = { scenario: 'account-reactivation', instances: 20 };
    const statuses = new Set<unknown>();
    for await (const served of readServed(plan, defaultStart + 45 * day, openCatalogue())) {
      expect(violationsIn(served)).toEqual([]);
      statuses.add(member(served.first.events[0]?.payload, 'previous_status'));
    }
    expect(statuses).toEqual(new Set(['DORMANT', 'WITHDRAWN']));
  });

  it('accept a run of a year without bills', async () => {
    const plan = { scenario: 'contract-life', instances: 12, seed: 1 };
    const found: string[] = [];
    for await (const served of readServed(plan, defaultStart + 365 * day, openCatalogue()))
      found.push(...violationsIn(served).map(({ what }) => what));
    expect(found).toEqual([]);
  });

  it('accept house moves of which one lasts for months', async () => {
    const plan = { scenario: 'house-move', instances: 3 };
    const found: string[] = [];
    for await (const served of readServed(plan, defaultStart + 112 * day, openCatalogue()))
      found.push(...violationsIn(served).map(({ what }) => what));
    expect(found).toEqual([]);
  });

  it('accept agreements that begin after the last event', async () => {
    const plan = { scenario: 'agreement-changes', instances: 30 };
    let later = 0;
    for await (const served of readServed(plan, defaultStart + 10 * day, openCatalogue())) {
      expect(violationsIn(served)).toEqual([]);
      later += agreementsOf(served).filter(({ valid_from }) => valid_from > served.at).length;
    }
    expect(later).toBeGreaterThan(5);
  });

  it('accept that a completed move or switch is reversed first of all', () => {
    const ending = (to: string | null) => withOccupancy({ to });
    const events = [{ type: 'lifecycle.status-changed', payload: { new_status: 'REVERSED' } }];
    const first = { events, before: ending('2026-03-01T00:00:00Z'), after: ending(null) };
    expect(violationsIn({ ...accounts[0]!, first })).toEqual([]);
  });

  it('accept that a note from before the run is removed first of all', () => {
    const noted = (metadata: Record<string, string>) => withOccupancy({ metadata });
    const payload = { account_property_effective_period_id: 1, key: 'alarm_code_known', value: 'true' };
    const events = [{ type: 'account_property_effective_period_metadata.removed', payload }];
    const first = { events, before: noted({ alarm_code_known: 'true' }), after: noted({}) };
    expect(violationsIn({ ...accounts[0]!, first })).toEqual([]);
  });

  it('accept a register that turned over in a year without readings', () => {
    const caughtAfter = (days: number) => {
      const served = structuredClone(accounts[0]!);
      const [rows] = [...served.readings.values()] as Reading[][];
      const last = rows!.at(-1)!;
      const on = formatDay(Date.parse(last.on) / day + days);
      rows!.push({ ...last, on, value: (last.value + 0.7 * 10 ** last.digits) % 10 ** last.digits });
      return violationsIn(served).map(({ what }) => what);
    };
    expect(caughtAfter(400)).toEqual([]);
    expect(caughtAfter(30)).toEqual(['has a reading that is below the one before']);
  });

  it('accept that an account that has left pays late what is too little for a debt', () => {
    const caughtAt = (amount_owed: number) => {
      const served = structuredClone(accounts[0]!);
      served.account.status = 'DORMANT';
      for (const home of served.account.properties) home.moved_out_at = '2026-02-20T00:00:00Z';
      // 46 days ago.
      Object.assign(served.bills[0]!, { issued_on: '2026-03-01', to: '2026-02-20' });
      Object.assign(served.own.ledgers[0]!, { amount_owed, overdue: 0 });
      return violationsIn(served).some(({ invariant }) => invariant === 'last-bill-settled');
    };
    expect([caughtAt(4_999), caughtAt(5_000)]).toEqual([false, true]);
  });

  it('catch a broken account each', () => {
    const names = servedInvariants.map(({ name }) => name);
    expect([...new Set(named(breaks).map(([invariant]) => invariant))].sort()).toEqual(names.sort());
  });

  it.each(named(breaks))('%s: catches that %s', (invariant, _how, change) => {
    const isCaught = accounts.some((served) => {
      const changed = structuredClone(served);
      change(changed);
      return violationsIn(changed).some((violation) => violation.invariant === invariant);
    });
    expect(isCaught).toBe(true);
  });
});
