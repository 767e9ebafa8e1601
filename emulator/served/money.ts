import { grouped } from 'busbar/base';
import { london } from '../engine/calendar.js';
import { day, formatDay } from '../engine/time.js';
import { leastDebt } from '../world/billing/dues.js';
import {
  instantOfLine,
  type Objection,
  isByHalfHour,
  meterPointsOf,
  ratesAt,
  type Served,
  type Bill,
  type Charge,
  type ServedInvariant,
  type Reading,
} from './served.js';

export const moneyInvariants: readonly ServedInvariant[] = [
  {
    name: 'charges-recompute',
    statement:
      'A charge is the energy of its lines times their rates, plus the standing charges, plus VAT, rounded once.',
    *objections({ bills }) {
      for (const [bill, { amount, vat, lines }] of chargesOf(bills)) {
        // In millionths of a hundredth of a penny: whole numbers.
        let sum = 0;
        for (const { kwh, unit_rate, days, standing_charge } of lines)
          sum += whole(kwh, 1000) * whole(unit_rate, 100) + days * whole(standing_charge, 100) * 1000;
        if (amount !== Math.floor((sum * (100 + vat) + 5_000_000) / 10_000_000))
          yield about(bill, 'has a charge that its lines do not give');
      }
    },
  },
  {
    name: 'lines-at-agreed-rates',
    statement:
      'The rates of a line are those of its tariff on that day, for the payment method. Those by the half-hour are not compared.',
    *objections(served) {
      for (const [bill, { lines }] of chargesOf(served.bills)) {
        for (const line of lines) {
          if (isByHalfHour(served.rates.get(line.tariff))) continue;
          const known = ratesAt(served, line.tariff, instantOfLine(line)).filter(
            ({ payment_method: method }) => method === null || method === served.own.payment_method,
          );
          const rateOf = (kind: string) => known.find((rate) => rate.kind === kind)?.value_exc_vat;
          const unit = rateOf('unit') ?? rateOf(line.register === 'NIGHT' ? 'night' : 'day');
          if (line.unit_rate !== unit) yield about(bill, 'has a line at another rate than its tariff');
          if (line.days > 0 && line.standing_charge !== rateOf('standing'))
            yield about(bill, 'has a line with another standing charge than its tariff');
        }
      }
    },
  },
  {
    name: 'bills-add-up',
    statement: 'The amount of a bill is the sum of its charges less the credits.',
    *objections({ bills }) {
      for (const bill of bills) {
        const charged = bill.charges.reduce((sum, { amount }) => sum + amount, 0);
        if (bill.amount !== charged - bill.credited) yield about(bill, 'is not the sum of its charges');
      }
    },
  },
  {
    name: 'charges-within-bill',
    statement: 'A bill is issued after its period, and has no charge for a day outside of it.',
    *objections({ bills }) {
      for (const [bill, { lines }] of chargesOf(bills)) {
        if (bill.to > bill.issued_on) yield about(bill, 'is issued before the end of its period');
        if (lines.some(({ from, to }) => from < bill.from || to > bill.to))
          yield about(bill, 'has a charge outside of its period');
      }
    },
  },
  {
    name: 'balances-add-up',
    statement: 'The amount owed on a ledger is the sum of its entries.',
    *objections({ own, entries }) {
      for (const { number, amount_owed } of own.ledgers) {
        const owed = (entries.get(number) ?? []).reduce((sum, { kind, amount, reverses }) => {
          const raises = (kind === 'charge' || kind === 'repayment') === (reverses === null);
          return sum + (raises ? amount : -amount);
        }, 0);
        if (owed !== amount_owed)
          yield { entity: `ledger "${number}"`, what: 'is not the sum of its entries' };
      }
    },
  },
  {
    name: 'charges-paid-or-overdue',
    statement:
      'An active account that is billed for its home, but has paid nothing for ninety days, owes nothing from before them, except for overdue debt.',
    *objections({ at, account, own: { ledgers }, bills, entries }) {
      const [ledger] = ledgers;
      if (account.status !== 'ACTIVE' || ledger === undefined) return;
      const since = formatDay(Math.floor(Date.parse(at) / day) - 90);
      const posted = entries.get(ledger.number) ?? [];
      const recent = posted.filter(({ on }) => on >= since);
      if (recent.some(({ kind }) => kind === 'payment')) return;
      const charged = recent.reduce((sum, { kind, amount }) => (kind === 'charge' ? sum + amount : sum), 0);
      const home = meterPointsOf({ account }).filter(({ moved_out_at }) => !moved_out_at);
      const points = new Set(home.map(({ number }) => number));
      // A run without the bills of a population charges an account for a home that it left, and has no payments.
      const isBilled = bills.some(
        ({ issued_on, charges }) =>
          issued_on >= since && charges.some(({ meter_point }) => points.has(meter_point)),
      );
      if (isBilled && ledger.amount_owed - ledger.overdue > charged)
        yield { entity: `ledger "${ledger.number}"`, what: 'owes old charges without a payment' };
    },
  },
  {
    name: 'last-bill-settled',
    statement:
      'Forty days after the last bill of an account that has left, it owes less than £50 more than its overdue debt, after eighty days nothing more, and it has no credit. Three weeks after the balance is settled, no deposit is held.',
    *objections({ at, account, own, bills, entries, first }) {
      const [last] = bills;
      const [ledger, ...deposits] = own.ledgers;
      const [left = ''] = account.properties
        .map(({ moved_out_at: out }) => out ?? '')
        .sort()
        .reverse();
      if (account.status !== 'DORMANT' || last === undefined || ledger === undefined) return;
      const age = (Date.parse(at) - Date.parse(last.issued_on)) / day;
      // It reaches the midnight in London that ends the supply.
      if (!(Date.parse(last.to) >= Date.parse(left)) || age < 40) return;
      const entity = `ledger "${ledger.number}"`;
      const owed = ledger.amount_owed - ledger.overdue;
      if (owed > 0 && (owed >= leastDebt || age >= 80)) yield { entity, what: 'owes more than overdue debt' };
      if (ledger.amount_owed < 0) yield { entity, what: 'has a credit that was not paid back' };
      const settled = entries.get(ledger.number)?.at(-1)?.on ?? at;
      // An outsider does not see what became of an account before the run.
      if (first.before?.account.status !== 'ACTIVE' || Date.parse(at) - Date.parse(settled) < 21 * day)
        return;
      for (const { number, amount_owed } of deposits)
        if (ledger.amount_owed === 0 && amount_owed < 0)
          yield { entity: `ledger "${number}"`, what: 'is a deposit that was not returned' };
    },
  },
  {
    name: 'no-energy-while-off',
    statement: 'While a supply point is switched off, no energy is charged.',
    *objections({ bills, switches }) {
      for (const [bill, { meter_point, lines }] of chargesOf(bills)) {
        const ofPoint = switches.get(meter_point) ?? [];
        for (const [nth, { on, isOff }] of ofPoint.entries()) {
          const until = ofPoint[nth + 1]?.on ?? '9999';
          if (isOff && lines.some(({ from, to, kwh }) => kwh > 0 && from >= on && to <= until))
            yield about(bill, 'charges energy of a supply point that is switched off');
        }
      }
    },
  },
  {
    name: 'returns-on-working-days',
    statement: 'A direct debit that is returned was collected on a working day, and is returned on one.',
    *objections({ entries }) {
      for (const { id, on, kind, is_reversed, reverses } of [...entries.values()].flat()) {
        if (kind !== 'payment' || !(is_reversed || reverses !== null)) continue;
        if (!london.isWorkingDay(Date.parse(on) / day))
          yield { entity: `ledger entry "${id}"`, what: 'is not on a working day' };
      }
    },
  },
  {
    name: 'readings-match-bills',
    statement:
      'The readings of a register never fall. Between the first and the last day of a charge they rise by its energy.',
    *objections({ bills, readings }) {
      for (const rows of readings.values()) {
        for (const { serial, falls } of risesOf(rows, '', '9999'))
          if (falls)
            yield { entity: `meter "${serial}"`, what: 'has a reading that is below the one before' };
      }
      for (const [bill, charge] of chargesOf(bills)) {
        if (!isMeasured(charge, readings)) yield about(bill, 'has a charge that the readings do not give');
      }
    },
  },
];

function* chargesOf(bills: readonly Bill[]): Generator<[Bill, Charge]> {
  for (const bill of bills) for (const charge of bill.charges) yield [bill, charge];
}

/** Whether the readings rise by the energy of a charge, except for the part of a unit that they do not show. */
function isMeasured({ meter_point, lines }: Charge, readings: Served['readings']): boolean {
  const [from = '', to = ''] = [lines[0]?.from, lines.at(-1)?.to];
  const rises = risesOf(readings.get(meter_point) ?? [], from, to);
  const billed = lines.reduce((sum, { kwh }) => sum + kwh, 0);
  const measured = rises.reduce((sum, { energy }) => sum + energy, 0);
  const unseen = rises.reduce((sum, { unit }) => sum + unit, 0);
  return rises.length > 0 && Math.abs(billed - measured) < unseen;
}

/** Returns the rise of each register between two days. */
function risesOf(rows: readonly Reading[], from: string, to: string) {
  const within = rows.filter(({ on }) => on >= from && on <= to);
  const registers = grouped(within, ({ serial_number, register }) => `${serial_number} ${register ?? ''}`);
  return [...registers.values()].map((read) => {
    let [units, falls] = [0, false];
    for (const [nth, { on, value, digits }] of read.entries()) {
      const size = 10 ** digits;
      const before = read[nth - 1] ?? { on, value };
      const rise = (((value - before.value) % size) + size) % size;
      // A register can turn over in a year without a bill.
      falls ||= rise > size / 2 && Date.parse(on) - Date.parse(before.on) < 100 * day;
      units += rise;
    }
    const [{ serial_number: serial, kwh_per_unit: unit }] = read as [Reading];
    return { serial, falls, unit, energy: units * unit };
  });
}

/** Returns a decimal number as a whole number of its smallest parts. */
function whole(value: number, parts: number): number {
  return Math.round(value * parts);
}

function about({ identifier }: Bill, what: string): Objection {
  return { entity: `bill "${identifier}"`, what };
}
