import { beforeAll, describe, expect, it } from 'vitest';
import { type OutgoingEvent, startEmulator } from '../../../emulator/index.js';
import type { Account, Bill, LedgerEntry } from '../../../emulator/control-api/generated/operations.js';
import { day } from '../../../emulator/engine/time.js';
import { watching } from '../../../emulator/start/http-reader.js';
import { silentLogger } from '../../../src/base/logger.js';

interface Household {
  readonly account: Account;
  readonly bills: readonly Bill[];
  readonly entries: readonly LedgerEntry[];
}

/** Fields of the events about money. */
interface Published {
  readonly entry?: { readonly id: number; readonly is_charge: boolean; readonly is_payment: boolean };
  readonly ledger_number: string;
  readonly previous_value: number;
  readonly new_value: number;
}

const accounts = 40;
const households: Household[] = [];
const sent: OutgoingEvent[] = [];

/** Reads a population by HTTP and the stream, as an outsider could. */
beforeAll(async () => {
  const emulator = await startEmulator({
    scenario: 'everyday',
    accounts,
    seed: 5,
    duration: 45 * day,
    kafka: false,
    http: { port: 0 },
    speed: 'instant',
    logger: silentLogger,
    sinks: [watching((batch) => void sent.push(...batch))],
  });
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${emulator.url}/emulator/v1/world${path}`)).json()) as T;
  try {
    await emulator.idle();
    for (let cell = 1; cell <= accounts; cell++) {
      const opened = await get<{ cell: { accounts: Account[] } }>(`/cells/${cell}`);
      for (const account of opened.cell.accounts) {
        const { bills } = await get<{ bills: Bill[] }>(`/accounts/${account.number}/bills`);
        const [ledger] = account.ledgers;
        const path = `/accounts/${account.number}/ledgers/${ledger?.number ?? ''}/entries`;
        households.push({ account, bills, entries: (await get<{ entries: LedgerEntry[] }>(path)).entries });
      }
    }
  } finally {
    await emulator.stop();
  }
}, 120_000);

describe('the money of a population', () => {
  it('bills each day once', () => {
    for (const { bills } of households) {
      for (const [nth, { from, issued_on }] of bills.entries()) {
        const before = bills[nth + 1];
        if (before !== undefined) expect([from, issued_on > before.issued_on]).toEqual([before.to, true]);
      }
    }
  });

  it('lists what was published, and an overdue debt that follows its changes', () => {
    const known = new Map(
      households.flatMap(({ account }) => account.ledgers.map((each) => [each.number, each])),
    );
    const listed = new Set(households.flatMap(({ entries }) => entries.map(({ id }) => id)));
    const last = new Map<string, number>();
    const removed = new Set<number>();
    const posted: number[] = [];
    for (const { envelope } of sent) {
      const { entry, ...position } = envelope.payload as Published;
      if (envelope.event_type === 'billing.ledger.entry_posted' && entry?.is_charge) posted.push(entry.id);
      if (envelope.event_type === 'billing.ledger.entry_removed' && entry) removed.add(entry.id);
      if (envelope.event_type !== 'delinquent_debt.position_changed' || envelope.version !== 'v2') continue;
      const { ledger_number: ledger, previous_value: previous, new_value: next } = position;
      expect(previous).toBe(last.get(ledger) ?? previous);
      last.set(ledger, next);
    }
    expect(posted.length).toBeGreaterThan(accounts);
    for (const id of posted) expect(listed.has(id)).toBe(!removed.has(id));
    for (const [ledger, overdue] of last) expect(known.get(ledger)?.overdue).toBe(overdue);
  });

  it('receives payments from the first week on', () => {
    const start = Math.min(...sent.map(({ at }) => at));
    const payments = sent.filter(({ at, envelope }) => {
      const { entry } = envelope.payload as Published;
      return at < start + 7 * day && entry?.is_payment === true;
    });
    expect(payments.length).toBeGreaterThan(0);
  });
});
