import { sample } from 'busbar-emulator/testing';
import { describe, expect, it, vi } from 'vitest';
import { benchOf } from './bench-of.js';

describe('TestBench.play()', () => {
  it('delivers each event at its virtual time', async () => {
    const seen: [string, number][] = [];
    const bench = benchOf((consumer) =>
      consumer.onAny(async ({ type, occurredAt }, { clock }) => {
        await new Promise(setImmediate);
        seen.push([type, clock.now() - Date.parse(occurredAt ?? '')]);
      }),
    );
    const [started] = await bench.play('house-move', { branch: { account: 'new' } });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.map(([, late]) => late)).toEqual(seen.map(() => 0));
    expect(bench.results.map(({ outcome }) => outcome)).toEqual(seen.map(() => 'handled'));
    expect(bench.world.account(started!.account)?.number).toBe(started!.account);
  });

  it('runs due retries between events', async () => {
    const order: number[] = [];
    const bench = benchOf((consumer) =>
      consumer.onAny(
        (_event, { attempt, clock }) => {
          order.push(clock.now());
          if (attempt === 1) throw new Error('not yet');
        },
        { retry: { backoff: { initial: 90_000, max: 90_000 } } },
      ),
    );
    await bench.play('house-move', { instances: 3 });
    await bench.idle();
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(bench.results.every(({ outcome, attempts }) => outcome === 'handled' && attempts === 2)).toBe(
      true,
    );
    // Each play starts at the end of the last one, retries included.
    await bench.play('house-move', { faults: 'drop=50%' });
    await bench.advance(1);
    await bench.play('house-move');
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it('repeats a play for the same seed, and injects faults during that play only', async () => {
    const play = async (seed: number) => {
      const bench = benchOf((consumer) => consumer.onAny(() => undefined), { seed });
      await bench.play('house-move', { instances: 20, faults: 'duplicate=50%' });
      const first = bench.results.map(({ id }) => id);
      await bench.play('house-move', { instances: 20 });
      return { first, second: bench.results.slice(first.length).map(({ id }) => id) };
    };
    const { first, second } = await play(3);
    expect(new Set(first).size).toBeLessThan(first.length);
    expect(new Set(second).size).toBe(second.length);
    expect(await play(3)).toEqual({ first, second });
    expect((await play(4)).first).not.toEqual(first);
  });

  it('settles events in the same order on a busy machine', async () => {
    const play = async () => {
      const bench = benchOf((consumer) => consumer.onAny(() => undefined));
      await bench.play('house-move', { instances: 20, faults: 'duplicate=50%' });
      return bench.results.map(({ id }) => id);
    };
    const results = await play();
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    expect(await play()).toEqual(results);
  });

  it('rejects an unknown scenario, branch or fault', async () => {
    const bench = benchOf((consumer) => consumer.onAny(() => undefined));
    await expect(bench.play('house-mov')).rejects.toMatchObject({ code: 'unknown-scenario' });
    await expect(bench.play('house-move', { branch: { acount: 'new' } })).rejects.toMatchObject({
      code: 'unknown-branch',
    });
    await expect(bench.play('house-move', { faults: 'dorp=1%' })).rejects.toThrow('There is no fault "dorp"');
    await expect(bench.play('house-move', { instances: 0 })).rejects.toThrow('"instances"');
    expect(bench.world.accounts()).toEqual([]);
    await bench.play('house-move');
    expect(bench.world.accounts()).not.toEqual([]);
  });

  it('rejects with the name of a hanging handler', async () => {
    const bench = benchOf(
      (consumer) => consumer.onAny(() => new Promise(() => undefined), { name: 'stuck', deadline: Infinity }),
      { handlerTimeout: 50 },
    );
    await expect(bench.play('house-move')).rejects.toThrow('Handler "stuck"');
  });
});

describe('TestBench.world', () => {
  it('returns the ground truth for a projection, then and now', async () => {
    const numbers = new Set<string>();
    const bench = benchOf((consumer) => {
      consumer.on('account.created', 'v1', ({ payload }) => void numbers.add(payload.account_number));
    });
    expect(bench.world.accounts()).toEqual([]);
    const before = bench.world.now;
    await bench.play('house-move', { instances: 5, branch: { account: 'new' } });
    const known = bench.world.accounts(before).map(({ number }) => number);
    expect(known).toHaveLength(5);
    expect(bench.world.accounts().map(({ number }) => number)).toEqual(
      expect.arrayContaining([...known, ...numbers]),
    );
    expect(bench.world.account('A-00000000')).toBeUndefined();
  });

  it('serves the REST API at the virtual time of the handled event', async () => {
    const responses: unknown[] = [];
    const bench = benchOf((consumer, own) => {
      consumer.on('account.created', 'v1', async ({ payload }) => {
        const { url, apiKey } = await own().restApi();
        const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
        const response = await fetch(`${url}accounts/${payload.account_number}/`, {
          headers: { authorization },
        });
        responses.push(response.status, ((await response.json()) as { number: string }).number);
        expect(own().world.account(payload.account_number)?.number).toBe(payload.account_number);
      });
    });
    await bench.play('house-move', { branch: { account: 'new' } });
    expect(bench.results.filter(({ outcome }) => outcome === 'handled')).toHaveLength(responses.length / 2);
    expect(responses.slice(0, 2)).toEqual([200, expect.stringMatching(/^A-/)]);
    const { url, apiKey } = await bench.restApi();
    const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    const sampled = sample('account.created', 'v1').account_number;
    const ofSample = await fetch(`${url}accounts/${sampled}/`, { headers: { authorization } });
    expect(await ofSample.json()).toMatchObject({ number: sampled });
    await bench.stop();
    await expect(fetch(url)).rejects.toThrow();
  });
});
