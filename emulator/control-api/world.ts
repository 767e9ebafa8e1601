import { BusbarError } from 'busbar/base';
import { london } from '../engine/calendar.js';
import { parseInstant } from '../engine/read-time.js';
import { day, formatDay, formatInstant, type Instant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { Account, Cell, Market, Period, Property } from '../world/cell.js';
import { notesAbout } from '../world/customer/metadata.js';
import { billsOf } from '../world/billing/books.js';
import { ledgersOf } from '../world/debt/deposits.js';
import { balance } from '../world/billing/entries.js';
import { type ChargeLine, chargeOf } from '../world/energy/charge.js';
import type { ListedBill } from '../world/billing/past.js';
import { type Reading, readingsOf } from '../world/industry/meters.js';
import { findProduct } from '../world/products/products.js';
import { findTariff, tariffCodeOf } from '../world/products/rates.js';
import { rateRows, type RateRow } from '../world/products/unit-rates.js';
import type { ControlHandlers } from './document.js';
import { Refused } from '../http/refusal.js';

/** Returns the handlers that read the ground truth at a virtual instant. */
export function worldOperations(session: Session) {
  /** Returns the handler of an operation that reads the world at an instant, by default now. */
  const reading =
    <P extends { readonly at?: string }, R>(read: (parameters: P, at: Instant) => R) =>
    ({ parameters }: { readonly parameters: P }) => {
      const at = parameters.at === undefined ? session.run.now : parseInstant('at', parameters.at);
      return { at: formatInstant(at), ...read(parameters, at) };
    };
  return {
    getAccount: reading(({ number }, at) => {
      const { cell, account } = session.accountAt(number, at);
      return { cell: cell.index, account: accountOf(cell, account) };
    }),
    listBills: reading(({ number }, at) => {
      const { cell, account } = session.accountAt(number, at);
      return { bills: billsOf(cell, account, 24).map((bill) => billOf(cell, bill)) };
    }),
    listReadings: reading(({ number, meter_point: wantedPoint }, at) => {
      const { cell, account } = session.accountAt(number, at);
      const supplyPoint = account.agreements.find(
        ({ supplyPoint: { identifier, isExport } }) => identifier === wantedPoint && !isExport,
      )?.supplyPoint;
      if (supplyPoint === undefined)
        throw new Refused(404, 'not-found', 'The account has no meter at that meter point.');
      const lines: ChargeLine[] = [];
      for (const { energy } of billsOf(cell, account, 24).flatMap(({ charges }) => charges))
        if (energy?.supplyPoint === supplyPoint) chargeOf(cell, energy, lines);
      const dates = new Set([...lines.flatMap(({ from, to }) => [from, to]), london.dayAt(at)]);
      return { readings: readingsOf(cell, supplyPoint, dates).map(readingOf) };
    }),
    listLedgerEntries: reading(({ number, ledger: wantedLedger }, at) => {
      const { cell, account } = session.accountAt(number, at);
      const found = ledgersOf(cell, account).find((ledger) => ledger.number === wantedLedger);
      if (found === undefined)
        throw new BusbarError('unknown-account', 'The account has no ledger of that number.');
      const entries = found.entries.map(({ id, kind, amount, on, sourceType, reverses, isReversed }) => ({
        id,
        kind,
        amount,
        on: formatDay(on),
        source_type: sourceType,
        reverses: reverses?.id ?? null,
        is_reversed: isReversed,
      }));
      return { entries };
    }),
    getTariff: reading(({ tariff: code, ...window }, at) => {
      const tariff = findTariff(code);
      if (tariff === undefined) throw new Refused(404, 'not-found', 'No tariff has that code.');
      const period = windowOf(window, at);
      const kinds = tariff.registers === 2 ? (['day', 'night'] as const) : (['unit'] as const);
      const rates = [...kinds, 'standing' as const].flatMap((kind) => {
        const { count, at: row } = rateRows({ seed: session.plan.seed ?? 1, now: at }, tariff, kind, period);
        return Array.from({ length: count }, (_, nth) => ({ kind, ...rateOf(row(nth)) }));
      });
      return { tariff: code, rates };
    }),
    getProcess: reading(({ number }, at) => {
      const { cell, occurred } = session.processAt(number, at);
      const events = occurred.map(({ at: then, instance, occurrence }) => ({
        at: formatInstant(then),
        event_type: occurrence.type,
        versions: occurrence.versions.map(({ version }) => version),
        instance,
      }));
      return { cell, number, last: events.at(-1)?.event_type ?? null, events };
    }),
    getCell: reading(({ cell }, at) => {
      if (!session.knows(cell)) {
        throw new BusbarError('unknown-account', 'The run has no cell of that number.');
      }
      return { cell: cellOf(session.cell(cell, at)) };
    }),
  } satisfies Partial<ControlHandlers>;
}

/** Returns the period whose rates a request reads. @throws Refused 400 unless it has up to 366 days */
function windowOf(window: { readonly from?: string; readonly to?: string }, at: Instant) {
  const from = window.from === undefined ? at : parseInstant('from', window.from);
  const to = window.to === undefined ? from + 1 : parseInstant('to', window.to);
  if (from < to && to - from <= 366 * day) return { from, to };
  throw new Refused(400, 'invalid-option', '"to" is not within 366 days after "from". Correct the period.');
}

function rateOf({ withoutVat, withVat, from, to, method }: RateRow) {
  return {
    payment_method: method ?? null,
    value_exc_vat: withoutVat,
    value_inc_vat: withVat,
    valid_from: formatInstant(from),
    valid_to: formatInstant(to),
  };
}

function cellOf(cell: Cell) {
  const { index, setting, accounts, properties } = cell;
  return {
    index,
    setting,
    accounts: accounts.map((account) => accountOf(cell, account)),
    properties: properties.map(propertyOf),
  };
}

function accountOf(cell: Cell, account: Account) {
  const { id, number, status, users, agreements, occupancies } = account;
  return {
    id,
    number,
    status,
    users: users.map((user) => ({ id: user.id, number: user.number, name: user.name, email: user.email })),
    agreements: agreements.map(({ id, supplyPoint, product, from, to }) => ({
      id,
      market: supplyPoint.market,
      identifier: supplyPoint.identifier,
      product,
      ...period(from, to),
    })),
    occupancies: occupancies.map((occupancy) => ({
      id: occupancy.id,
      property_id: occupancy.property.id,
      ...period(occupancy.from, occupancy.to),
      metadata: Object.fromEntries(
        Array.from(notesAbout(cell, { account, occupancy }).values(), ({ key, value }) => [key, value]),
      ),
    })),
    payment_method: cell.traits.payment,
    ledgers: ledgersOf(cell, account).map((ledger) => ({
      number: ledger.number,
      amount_owed: balance(ledger),
      overdue: ledger.position,
    })),
  };
}

function billOf(cell: Cell, { id, identifier, issuedOn, from, to, amount, credited, charges }: ListedBill) {
  return {
    id,
    identifier,
    issued_on: formatDay(issuedOn),
    ...days({ from, to }),
    amount,
    credited,
    charges: charges.flatMap((charge) => {
      if (charge.energy === undefined) return [];
      const { market, identifier: meterPoint } = charge.energy.supplyPoint;
      const lines: ChargeLine[] = [];
      chargeOf(cell, charge.energy, lines);
      const [{ vat } = { vat: 0 }] = lines;
      return {
        market,
        meter_point: meterPoint,
        amount: charge.amount,
        vat,
        lines: lines.flatMap((line) => linesOf(line, tariffOf(cell, market, line))),
      };
    }),
  };
}

/** Returns a line for each rate. The first has the standing charge. */
function linesOf({ rates: { unit, night, standing }, used, byNight, ...period }: ChargeLine, tariff: string) {
  const first = {
    tariff,
    register: night === undefined ? null : 'DAY',
    ...days(period),
    kwh: (used - byNight) / 1000,
    unit_rate: unit / 100,
    days: period.to - period.from,
    standing_charge: standing / 100,
  };
  if (night === undefined) return [first];
  const second = { kwh: byNight / 1000, unit_rate: night / 100, days: 0, standing_charge: 0 };
  return [first, { ...first, register: 'NIGHT', ...second }];
}

function tariffOf(cell: Cell, market: Market, { product, rates }: ChargeLine): string {
  return tariffCodeOf({
    product,
    fuel: market === 'GBR_GAS' ? 'gas' : 'electricity',
    region: cell.identifiers.region(cell.index).letter,
    registers: rates.night !== undefined && findProduct(product)?.line.twoRegisters ? 2 : 1,
  });
}

function readingOf({ on, serial, register, value, digits, unit, energy }: Reading) {
  return {
    on: formatDay(on),
    serial_number: serial,
    register: register ?? null,
    value,
    digits,
    unit,
    kwh_per_unit: energy / 1000,
  };
}

function days({ from, to }: Period) {
  return { from: formatDay(from), to: formatDay(to) };
}

function propertyOf({ id, region, supplyPoints }: Property) {
  return {
    id,
    region: region.letter,
    supply_points: supplyPoints.map(({ id: point, market, identifier }) => ({
      id: point,
      market,
      identifier,
    })),
  };
}

/** Returns the first day and the day after the last. */
function period(from: number, to: number | undefined) {
  return { from: formatDay(from), to: to === undefined ? null : formatDay(to) };
}
