import fc from 'fast-check';
import {
  type Delivery,
  isEventLog,
  sentEvent,
  untouched,
} from '../../../../emulator/testing/verify/delivery.js';
import { describe, expect, it } from 'vitest';
import { countedTwice, meaningOf } from '../../../../emulator/testing/verify/diagnose.js';
import {
  type Observed,
  ownerByIdentifiers,
  type Row,
  rowsOf,
} from '../../../../emulator/testing/verify/households.js';
import { differencesOf, noiseBetween } from '../../../../emulator/testing/verify/noise.js';

const cells = [1, 2, 3];
const accountOf = (cell: number) => `A-${cell}B2C3D4E`;
const ownerOf = ownerByIdentifiers(
  cells.map((cell) => ({
    cell,
    content: { account_number: accountOf(cell), at: '2027-01-04', status: 'open' },
  })),
);
const rows = fc.array(
  fc.record({ account: fc.constantFrom(...cells).map(accountOf), amount: fc.integer({ min: 1, max: 9 }) }),
  { minLength: 1, maxLength: 8 },
);

describe('ownerByIdentifiers', () => {
  it('assigns each row to the household whose identifier it contains', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cells), fc.string(), (cell, text) => {
        fc.pre(!cells.some((other) => text.includes(accountOf(other))));
        expect(ownerOf({ note: text, account: accountOf(cell) })).toBe(cell);
        expect(ownerOf({ key: `${accountOf(cell)}:bill` })).toBe(cell);
      }),
    );
  });

  it('assigns a row with identifiers of two households, or of none, to no household', () => {
    expect(ownerOf({ from: accountOf(1), to: accountOf(2) })).toBe('shared');
    expect(ownerOf({ day: '2027-01-04', status: 'open' })).toBe('shared');
  });

  it('assigns every row to one owner', () => {
    fc.assert(
      fc.property(rows, (account) => {
        const parts = [...cells, 'shared' as const].map(
          (owner) => rowsOf({ account }, owner, ownerOf)['account'] ?? [],
        );
        expect(parts.flat()).toHaveLength(account.length);
      }),
    );
  });
});

describe('differencesOf', () => {
  it('ignores the order of rows', () => {
    fc.assert(
      fc.property(rows, (account) => {
        expect(differencesOf({ account }, { account: account.toReversed() })).toEqual([]);
      }),
    );
  });

  it('reports a missing row with any mask', () => {
    fc.assert(
      fc.property(rows, fc.subarray(['account', 'amount']), (account, fields) => {
        const mask = { fields: { account: fields }, tables: [] };
        const [difference] = differencesOf({ account }, { account: account.slice(1) }, mask);
        expect(difference).toMatchObject({
          table: 'account',
          expected: account.length,
          actual: account.length - 1,
        });
      }),
    );
  });
});

describe('noiseBetween', () => {
  it('masks exactly the fields that differ between equal runs', () => {
    fc.assert(
      fc.property(rows, (own) => {
        const run = (salt: string): Observed => ({
          account: own.map((row, index): Row => ({ ...row, id: `${salt}-${index}` })),
        });
        const mask = noiseBetween(run('one'), run('other'), cells, ownerOf);
        expect(mask).toEqual({ fields: { account: ['id'] }, tables: [] });
        expect(differencesOf(run('one'), run('third'), mask)).toEqual([]);
      }),
    );
  });

  it('masks a table whose number of rows differs', () => {
    const account = cells.map((cell) => ({ account: accountOf(cell) }));
    expect(noiseBetween({ account }, { account: account.slice(1) }, cells, ownerOf).tables).toEqual([
      'account',
    ]);
  });
});

describe('meaningOf', () => {
  it('names what a counterfactual run with the same state means', () => {
    const meanings = (['twice', 'twice, with a restart between', 'late', 'left out'] as const).map((change) =>
      meaningOf({ change, isRedelivered: false }),
    );
    expect(meanings).toEqual([
      'not-idempotent',
      'forgets-at-restart',
      'order-across-keys',
      'committed-before-work',
    ]);
    expect(meaningOf({ change: 'left out', isRedelivered: true })).toBe('seen-before-effect');
  });

  it('takes rows that only name their events for a log, but not rows with effects', () => {
    const [one, other, third] = ['v1', 'v2', 'v1'].map((version, nth) => {
      const event = { type: nth < 2 ? 'billing.final_bill' : 'account.created', version };
      const about = { nth, id: `event-${nth}`, at: 0, key: accountOf(1), cell: 1 };
      return untouched(sentEvent({ name: `${event.type}-${version}`, ...event }, {}, about));
    }) as [Delivery, Delivery, Delivery];
    const pair = [one, other];
    const count = (columns: (delivery: Delivery) => Row, handled: readonly Delivery[]) => {
      const table = (...some: readonly Delivery[]): Observed => ({
        table: [...handled.filter((each) => !pair.includes(each)), ...some].map(columns),
      });
      const states = { neither: table(), one: table(one), other: table(other), both: table(one, other) };
      return countedTwice(states, (some) => isEventLog(some, pair, handled));
    };
    const log = ({ sent }: Delivery) => ({ event: sent.id, type: sent.name, account: sent.key });
    const bill = ({ sent }: Delivery) => ({ event: sent.id, account: sent.key, pence: 120 });
    expect(count(log, pair)).toEqual([]);
    expect(count(bill, pair)).toEqual(['table']);
    // A table with a row for each event may keep whole events.
    expect(count(bill, [third, ...pair])).toEqual([]);
    expect(count(({ sent }) => ({ account: sent.key }), [third, ...pair])).toEqual(['table']);
  });

  it('finds an occurrence that counts twice, but not versions that fill other fields', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (amount) => {
        const account = (fields: object): Observed => ({ account: [{ account: accountOf(1), ...fields }] });
        const counted = (one: object, other: object, both: object) =>
          countedTwice(
            { neither: account({}), one: account(one), other: account(other), both: account(both) },
            () => false,
          );
        expect(counted({ sum: amount }, { sum: amount }, { sum: 2 * amount })).toEqual(['sum']);
        expect(counted({ sum: amount }, { sum: amount }, { sum: amount })).toEqual([]);
        expect(counted({ name: 'a' }, { sum: amount }, { name: 'a', sum: amount })).toEqual([]);
      }),
    );
  });
});
