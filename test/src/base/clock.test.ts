import { systemClock } from 'busbar';
import { virtualClock } from 'busbar/base';
import { describe, expect, it } from 'vitest';
import { sleep } from '../../../src/base/clock.js';

describe('a virtual clock', () => {
  it('makes calls in the order of time, then of scheduling', () => {
    const clock = virtualClock(1000);
    const calls: string[] = [];
    const call = (name: string) => () => void calls.push(`${name} at ${clock.now()}`);
    clock.schedule(20, call('late'));
    clock.schedule(10, () => {
      call('first')();
      clock.schedule(0, call('at once'));
      clock.schedule(50, call('never'));
    });
    clock.schedule(10, call('second'));
    const cancel = clock.schedule(15, call('cancelled'));
    cancel();
    clock.advance(30);
    expect(calls).toEqual(['first at 1010', 'second at 1010', 'at once at 1010', 'late at 1020']);
    expect(clock.now()).toBe(1030);
  });

  it('advances to the next call, and returns false without one', () => {
    const clock = virtualClock();
    clock.schedule(3_600_000, () => undefined);
    expect([clock.advanceToNext(), clock.now(), clock.advanceToNext()]).toEqual([true, 3_600_000, false]);
  });
});

describe('sleep', () => {
  it('resolves in time or rejects with the reason of its signal', async () => {
    const clock = virtualClock();
    const abort = new AbortController();
    const slept = sleep(clock, 100);
    const aborted = sleep(clock, 1000, abort.signal);
    clock.advance(100);
    await slept;
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(sleep(clock, 1, abort.signal)).rejects.toThrow('enough');
    expect(clock.advanceToNext()).toBe(false);
  });

  it('works with the wall clock', async () => {
    const before = systemClock.now();
    await sleep(systemClock, 1);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
