import { createConsumer, eventBridgeEnvelope, silentLogger } from 'busbar';
import { reportOutcomes } from 'busbar/operations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountCreated, recordOf } from '../records.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('reportOutcomes', () => {
  it('sends one report at a time, also after one fails', async () => {
    const reported: string[][] = [];
    const ends: ((failure?: Error) => void)[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation((_url, init) => {
      const { outcomes } = JSON.parse(init?.body as string) as { outcomes: { event: string }[] };
      reported.push(outcomes.map(({ event }) => event));
      return new Promise((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve(new Response(null, { status: 204 }))));
      });
    });
    const observer = reportOutcomes({ consumer: 'billing' });
    const settle = async (event: string) => {
      observer.settled?.(recordOf(null, { 'event-id': event }), {
        attempts: 0,
        duration: 0,
        outcome: 'skipped',
        reason: 'unhandled',
      });
      await vi.advanceTimersByTimeAsync(1_000);
    };
    await settle('a');
    await settle('b');
    await settle('c');
    expect(reported).toEqual([['a']]);
    ends[0]?.();
    await settle('d');
    expect(reported).toEqual([['a'], ['b', 'c', 'd']]);
    await settle('e');
    ends[1]?.(new TypeError('fetch failed'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  it('reports the result of an event whose id is in its value only', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
    const consumer = createConsumer({
      envelope: eventBridgeEnvelope(),
      observer: reportOutcomes({ consumer: 'billing' }),
      logger: silentLogger,
    });
    consumer.on('account.created', 'v1', () => undefined);
    const value = { id: 'event-1', 'detail-type': 'account.created-v1', detail: accountCreated.payload };
    await consumer.dispatch({ topic: 'platform.events', value });
    await vi.advanceTimersByTimeAsync(1_000);
    const { outcomes } = JSON.parse(fetching.mock.calls[0]?.[1]?.body as string) as { outcomes: unknown };
    expect(outcomes).toMatchObject([
      { event: 'event-1', attempt: 1, outcome: 'handled' },
      { event: 'event-1', settled: 'handled' },
    ]);
  });

  it.each([
    ['event-1', {}, { id: 'event-1', event_type: 'a', version: 'v1', payload: {} }],
    ['event-1', {}, { id: 'event-1', specversion: '1.0', type: 'a', data: {} }],
    ['event-1', {}, { id: 'event-1', 'detail-type': 'a', detail: {} }],
    ['event-1', { ce_id: 'event-1' }, { account_number: 'A-1' }],
    [undefined, {}, { id: 'A-1', account_number: 'A-1' }],
    [undefined, {}, 'no object'],
    [undefined, {}, { id: 7, 'detail-type': 'a' }],
  ])('finds the id %s of an event without a handler', async (event, headers, value) => {
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
    const observer = reportOutcomes({ consumer: 'billing' });
    const skipped = { attempts: 0, duration: 0, outcome: 'skipped', reason: 'unhandled' } as const;
    observer.settled?.(recordOf(JSON.stringify(value), headers), skipped);
    observer.settled?.(recordOf('{', { 'event-id': 'last' }), skipped);
    await vi.advanceTimersByTimeAsync(1_000);
    const { outcomes } = JSON.parse(fetching.mock.calls[0]?.[1]?.body as string) as {
      outcomes: { event: string }[];
    };
    expect(outcomes.map((each) => each.event)).toEqual([...(event === undefined ? [] : [event]), 'last']);
  });

  it.each(['emulator:4100', '127.0.0.1', 'http://', 'ftp://127.0.0.1'])(
    'refuses an address that is not one of HTTP: %s',
    (url) => {
      const message = `reportOutcomes(): "url" must be an address such as http://127.0.0.1:4100, not "${url}".`;
      expect(() => reportOutcomes({ consumer: 'billing', url })).toThrow(message);
    },
  );
});
