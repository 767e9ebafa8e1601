import { describe, expect, it } from 'vitest';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { Plan } from '../../../emulator/run/plan.js';

const day = 24 * 3_600_000;
const options = { scenario: 'everyday', accounts: 2_000, duration: 3 * day };

describe('instances of a population that began before the run', () => {
  const plan = new Plan(options);
  const played = [...plan.play()].map(({ at, cell, instance, number }) => ({ at, cell, instance, number }));

  it('continue in the first hours', () => {
    const moves = played.filter(
      ({ at, instance }) => instance.startsWith('house-move') && at < defaultStart + day,
    );
    const began = new Set(played.filter(({ number }) => number === 0).map(({ cell }) => cell));
    expect(moves.filter(({ cell }) => !began.has(cell)).length).toBeGreaterThan(0);
  });

  it('settle the last bills of losses from weeks ago', () => {
    const paid = played.flatMap(({ at, instance }) => {
      const [name, ordinal] = instance.split('#');
      // The hundreds of the number count days, 400 up to the run.
      return name === 'switch-loss' && at < defaultStart + 3 * day
        ? [400 - Math.floor(Number(ordinal) / 100)]
        : [];
    });
    expect(Math.max(...paid)).toBeGreaterThan(30);
  });

  it('send nothing from before the run', () => {
    expect(Math.min(...played.map(({ at }) => at))).toBeGreaterThanOrEqual(defaultStart);
    const cells = new Set(played.map(({ cell }) => cell));
    for (const cell of [...cells].slice(0, 50)) {
      const [first] = plan.timeline(cell, defaultStart + day);
      if (first !== undefined) expect(first.at).toBeGreaterThanOrEqual(defaultStart);
    }
  });

  it('change the world before the first instant', () => {
    const gained = [...Array(2_000).keys()]
      .map((index) => plan.cell(index + 1, defaultStart))
      .filter(({ accounts }) => accounts.length > 1);
    expect(gained.length).toBeGreaterThan(0);
  });

  it('show the states that the run passes through', () => {
    const last = new Map<number, { at: number; accounts: string[] }>();
    for (const { at, cell, state } of new Plan(options).play()) {
      last.set(cell, { at, accounts: state.accounts.map(({ number, status }) => `${number} ${status}`) });
    }
    const several = [...last].filter(([, { accounts }]) => accounts.length > 1);
    expect(several.length).toBeGreaterThan(0);
    for (const [cell, { at, accounts }] of several) {
      expect(plan.cell(cell, at).accounts.map(({ number, status }) => `${number} ${status}`)).toEqual(
        accounts,
      );
    }
  });
});
