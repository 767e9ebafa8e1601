import { it } from 'vitest';
import { play } from '../scenarios/play.js';
import { check, eventOf } from './streams.js';
it('population', async () => {
  const started = performance.now();
  for (const seed of [1, 2, 3]) {
    const events = (await play('everyday', { seed, accounts: 150, duration: 600 * 86400_000 })).map(eventOf);
    const t = performance.now();
    const found = check(events, { complete: false });
    const by = new Map<string, number>();
    const sample = new Map<string, string>();
    for (const v of found) {
      const k = `${v.invariant}|${v.event}|${v.what}`;
      by.set(k, (by.get(k) ?? 0) + 1);
      sample.set(k, v.entity + ' ' + v.eventId);
    }
    console.log(seed, events.length, t - started, performance.now() - t, [...by], [...sample]);
  }
}, 600000);
