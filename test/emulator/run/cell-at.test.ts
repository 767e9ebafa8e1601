import { describe, expect, it } from 'vitest';
import { defaultStart, london } from '../../../emulator/engine/calendar.js';
import type { OutgoingEvent } from '../../../emulator/index.js';
import { Plan, type PlanOptions } from '../../../emulator/run/plan.js';
import { ledgerOf } from '../../../emulator/world/billing/books.js';
import { balance } from '../../../emulator/world/billing/entries.js';
import { notesAbout } from '../../../emulator/world/customer/metadata.js';
import { play } from '../scenarios/play.js';

const day = 24 * 3_600_000;
const first = london.dayAt(defaultStart);

/** Account numbers that the stream has named as opened by then, and agreements in force. */
function statesIn(stream: readonly OutgoingEvent[], cell: number, at: number) {
  const emissions = stream.filter((each) => each.cell === cell && each.at <= at);
  const of = (name: string) =>
    emissions
      .filter(({ envelope }) => `${envelope.event_type}-${envelope.version}` === name)
      .map(({ envelope }) => envelope.payload as Record<string, unknown>);
  return {
    opened: of('account.created-v1').map((payload) => payload.account_number),
    created: of('agreement.created-v1').map((payload) => payload.agreement_id),
    terminated: of('agreement.terminated-v2').map((payload) => payload.agreement_id),
  };
}

describe('the state of a cell at a virtual instant', () => {
  it('agrees with the stream at every step of a house move', async () => {
    const options: PlanOptions = {
      scenario: 'house-move',
      seed: 5,
      instances: 6,
      branches: { outcome: 'moved' },
    };
    const plan = new Plan(options);
    const stream = await play('house-move', { ...options });
    const instants = [...new Set(stream.map(({ at }) => at))];
    for (const at of instants.filter((_, index) => index % 7 === 0)) {
      for (const cell of [1, 4]) {
        const { opened, created, terminated } = statesIn(stream, cell, at);
        const { accounts } = plan.cell(cell, at);
        const numbers = accounts.map(({ number }) => number);
        expect(numbers).toEqual(expect.arrayContaining(opened));
        expect(numbers).toHaveLength(opened.length + 1);
        const agreements = accounts.flatMap((account) => account.agreements);
        expect(agreements.map(({ id }) => id)).toEqual(expect.arrayContaining(created));
        expect(
          accounts
            .flatMap(({ agreements: own }) => own.map((agreement) => ({ ...agreement, own })))
            .filter(({ to = Infinity }) => first < to && to <= london.dayAt(at))
            // A term that another one follows was not terminated.
            .filter(
              ({ supplyPoint, to, own }) =>
                !own.some((next) => next.supplyPoint === supplyPoint && next.from === to),
            )
            .map(({ id }) => id)
            .sort(),
        ).toEqual(terminated.sort());
      }
    }
  });

  it.each([
    ['kept', ['true']],
    ['updated', ['confirmed']],
    ['updated-then-removed', []],
  ])('shows the note about a forwarding address as its events say: %s', (forwarding, expected) => {
    const branches = { outcome: 'moved', forwarding } as const;
    const plan = new Plan({ scenario: 'house-move', seed: 5, instances: 1, branches });
    const cell = plan.cell(1, defaultStart + 365 * day);
    const notes = cell.accounts.flatMap((account) =>
      account.occupancies.flatMap((occupancy) => [...notesAbout(cell, { account, occupancy }).values()]),
    );
    expect(notes.map(({ value }) => value)).toEqual(expected);
  });

  it('keeps the bills from before the run when a loss from before it is reversed', () => {
    const plan = new Plan({ scenario: 'everyday', accounts: 20_000, seed: 1 });
    const resumed = [...plan.timeline(13_968, defaultStart + 10 * day)].filter(
      ({ instance, step }) => instance.startsWith('switch-loss') && step === 'agreement.created',
    );
    expect(resumed).toHaveLength(2);
    const owed = [resumed[0]!.at - 1, resumed[1]!.at].map((at) => {
      const cell = plan.cell(13_968, at);
      return balance(ledgerOf(cell, cell.account));
    });
    expect(owed[1]).toBe(owed[0]);
  });

  it.each(['data-import-account', 'data-import-order', 'join-switch-gain', 'house-move'])(
    'shows no account active before its move: %s',
    (scenario) => {
      const options: PlanOptions = { scenario, instances: 8, seed: 12 };
      const plan = new Plan(options);
      const moments = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((cell) =>
        [...plan.timeline(cell, defaultStart + 60 * day)].map(({ at }) => ({ cell, at })),
      );
      const early = moments.filter(({ cell, at }) =>
        plan
          .cell(cell, at)
          .accounts.some(
            ({ status, occupancies }) =>
              status === 'ACTIVE' && occupancies.some(({ from }) => london.instantOf(from) > at),
          ),
      );
      expect(early).toEqual([]);
    },
  );

  it('exists for every cell of a population, even without events', () => {
    const options: PlanOptions = { scenario: 'everyday', accounts: 50, seed: 2 };
    const plan = new Plan(options);
    const before = plan.cell(7, defaultStart);
    const after = plan.cell(7, defaultStart + 60 * day);
    expect(after.account.number).toBe(before.account.number);
    expect(before.account.ledger.entries).toHaveLength(0);
    expect(after.account.ledger.entries.length).toBeGreaterThan(0);
  });
});
