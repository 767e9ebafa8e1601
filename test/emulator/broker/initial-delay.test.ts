import { describe, expect, it } from 'vitest';
import { clock, Member, state, useBroker } from './group-members.js';

describe('a broker with an initial rebalance delay', () => {
  useBroker({ initialRebalanceDelayMs: 3_000 });

  it('completes the first rebalance after the delay', async () => {
    const one = new Member('one');
    const joining = one.join();
    await clock.advance(2_999);
    expect(state()).toBe('PreparingRebalance');
    await clock.advance(1);
    await joining;
    expect(one).toMatchObject({ generation: 1, leader: true });
  });

  it('waits again for each member that joins in that time', async () => {
    const [one, two] = [new Member('one'), new Member('two')];
    const joining = [one.join()];
    await clock.advance(2_000);
    joining.push(two.join());
    await clock.advance(2_000);
    expect(state()).toBe('PreparingRebalance');
    await clock.advance(2_000);
    await Promise.all(joining);
    expect([one.generation, two.generation]).toEqual([1, 1]);
  });

  it('waits no longer than the rebalance timeout', async () => {
    const joining = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const member = new Member(name);
      joining.push(member.join({ rebalanceMs: 7_000 }).then(() => member.generation));
      await clock.advance(2_000);
    }
    expect(await Promise.all(joining)).toEqual([1, 1, 1, 1]);
  });

  it('does not wait in later rebalances', async () => {
    const one = new Member('one');
    const joining = one.join();
    await clock.advance(3_000);
    await joining;
    await one.sync();
    await Promise.all([new Member('two').join(), one.join()]);
    expect(one.generation).toBe(2);
  });
});
