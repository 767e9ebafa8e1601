import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { virtualClock } from '../../../src/base/clock.js';
import { serve } from './serve.js';

describe('apiFaults', () => {
  it('rewords details and keeps codes', async () => {
    const { ask } = await serve({ platformApi: { varyErrorWording: true } });
    const details = new Set<string>();
    for (let time = 0; time < 8; time++) {
      const { body } = await ask('products/?page=0');
      const { detail, code, errors } = body as platformApi.Error;
      expect([code, errors[0]?.code, errors[0]?.attr]).toEqual(['invalid_request', 'invalid_page', 'page']);
      details.add(detail).add(errors[0]?.detail ?? '');
    }
    expect(details.size).toBeGreaterThan(3);
  });

  it('adds undocumented fields to every object', async () => {
    const { get } = await serve({ platformApi: { extraFields: true } });
    const list = await get<platformApi.ProductList>('products/');
    expect(list).toMatchObject({ count: expect.any(Number), x_undocumented: true });
    expect(list.results[0]).toMatchObject({
      x_undocumented: true,
      links: [{ rel: 'self', x_undocumented: true }],
    });
  });

  it('limits the rate, and returns the time to wait', async () => {
    const clock = virtualClock();
    const { ask } = await serve({ clock, platformApi: { rateLimit: 3 } });
    const statuses = async (times: number) => {
      const seen: number[] = [];
      for (let time = 0; time < times; time++) seen.push((await ask('products/')).status);
      return seen;
    };
    expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
    expect((await ask('products/')).headers.get('retry-after')).toBe('1');
    clock.advance(1000);
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  });

  it('delays responses', async () => {
    const clock = virtualClock();
    const { ask } = await serve({ clock, platformApi: { latency: 250 } });
    let answered = false;
    const asking = ask('products/').then(({ status }) => {
      answered = true;
      return status;
    });
    // Time stands still until the request waits for it.
    while (!clock.advanceToNext()) await new Promise(setImmediate);
    expect(answered).toBe(false);
    expect(clock.now()).toBe(250);
    expect(await asking).toBe(200);
  });

  it('drops the delay of a client that disconnects', async () => {
    const clock = virtualClock();
    const { base } = await serve({ clock, platformApi: { latency: 60_000 } });
    const before = clock.next;
    const leaving = new AbortController();
    const asking = fetch(new URL('products/', base), { signal: leaving.signal });
    await expect.poll(() => clock.next).not.toBe(before);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await expect.poll(() => clock.next).toBe(before);
  });

  it('fails some requests, the same ones every time', async () => {
    const statuses = async () => {
      const { ask } = await serve({ platformApi: { failRate: 0.3 } });
      const seen: number[] = [];
      for (let time = 0; time < 40; time++) seen.push((await ask('products/')).status);
      return seen;
    };
    const seen = await statuses();
    expect(new Set(seen)).toEqual(new Set([200, 500, 502, 503]));
    expect(await statuses()).toEqual(seen);
  });

  it.each([
    [{ latency: -1 }],
    [{ failRate: 2 }],
    [{ rateLimit: 0 }],
    [{ apiKeys: ['a:b'] }],
    [{ apiKeys: [''] }],
  ])('refuses %j', async (platformApi) => {
    await expect(serve({ platformApi })).rejects.toMatchObject({ code: 'invalid-option' });
  });
});
