import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type WebhookSinkOptions, webhookSink } from '../../../emulator/sinks/webhook.js';
import { type VirtualClock, virtualClock } from '../../../src/base/clock.js';
import { logLines } from '../../src/log-lines.js';
import { emission, emissions } from './emissions.js';

interface Request {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers with these statuses, one after the other, then with 204. */
async function receiving<T>(
  statuses: readonly (number | 'hang-up')[],
  work: (url: string, requests: readonly Request[]) => Promise<T>,
  headers: Record<string, string> = {},
): Promise<T> {
  const requests: Request[] = [];
  const answers = [...statuses];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = answers.shift() ?? 204;
      if (status === 'hang-up') request.socket.destroy();
      else response.writeHead(status, headers).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events?token=hush`;
  return work(url, requests).finally(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** Makes time pass whenever the sink waits for it; says for how long it waited. */
async function patiently<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const progress = { isDone: false };
  const done = work.finally(() => (progress.isDone = true));
  done.catch(() => undefined);
  while (!progress.isDone) {
    await new Promise(setImmediate);
    clock.advanceToNext();
  }
  return done;
}

const sinkTo = (url: string, options: Partial<WebhookSinkOptions> = {}) => {
  const clock = virtualClock(1_700_000_000_000);
  const logger = logLines();
  return { clock, logger, sink: webhookSink({ url, clock, logger, random: () => 1, ...options }) };
};

describe('the sink to a webhook', () => {
  it('sends CloudEvents in their HTTP binding', () =>
    receiving([], async (url, requests) => {
      const binary = { 'content-type': 'application/json', ce_specversion: '1.0' };
      const structured = { 'content-type': 'application/cloudevents+json; charset=UTF-8' };
      const { sink } = sinkTo(url);
      await sink.write([emission(1, { headers: binary }), emission(2, { headers: structured })]);
      await sinkTo(url, { batch: 2 }).sink.write([1, 2].map((n) => emission(n, { headers: structured })));
      expect(requests.map(({ headers }) => [headers['content-type'], headers['ce-specversion']])).toEqual([
        ['application/json', '1.0'],
        ['application/cloudevents+json; charset=UTF-8', undefined],
        ['application/cloudevents-batch+json; charset=UTF-8', undefined],
      ]);
    }));

  it('posts each envelope as it is, with its headers and key, in order', () =>
    receiving([], async (url, requests) => {
      const { sink } = sinkTo(url);
      const sent = emissions(3);
      await sink.write(sent);
      expect(requests.map(({ body }) => body)).toEqual(sent.map(({ bytes }) => bytes.toString()));
      expect(requests[0]?.headers).toMatchObject({
        ...sent[0]!.headers,
        'event-key': sent[0]!.key,
        'content-type': 'application/json',
      });
      expect(requests[0]?.headers['busbar-signature']).toBeUndefined();
    }));

  it('posts several as an array', () =>
    receiving([], async (url, requests) => {
      const sent = emissions(5);
      await sinkTo(url, { batch: 2 }).sink.write(sent);
      const bodies = requests.map(({ body }) => JSON.parse(body) as unknown[]);
      expect(bodies.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(bodies.flat()).toEqual(sent.map(({ envelope }) => envelope));
    }));

  it('signs time and body with HMAC-SHA256', () =>
    receiving([], async (url, requests) => {
      await sinkTo(url, { secret: 'between us' }).sink.write(emissions(1));
      const [{ headers, body }] = requests as [Request];
      const expected = createHmac('sha256', 'between us').update(`1700000000.${body}`).digest('hex');
      expect(headers['busbar-signature']).toBe(`t=1700000000,v1=${expected}`);
    }));

  it('warns of a receiver that accepts nothing, and when it does again', () =>
    receiving([503, 'hang-up'], async (url) => {
      const { sink, clock, logger } = sinkTo(url);
      await patiently(clock, Promise.resolve(sink.write(emissions(2))));
      expect(logger.lines).toEqual([
        expect.stringMatching(/^warn: webhook accepts no events, trying again .*"responded with 503"/),
        expect.stringMatching(/^info: webhook accepts events again .*:\d+\/events"/),
      ]);
    }));

  it('retries after 429, 5xx and broken connections, with growing pauses', () =>
    receiving([429, 503, 'hang-up', 500], async (url, requests) => {
      const { sink, clock } = sinkTo(url);
      const begin = clock.now();
      await patiently(clock, Promise.resolve(sink.write(emissions(2))));
      expect(requests).toHaveLength(6);
      expect(new Set(requests.map(({ body }) => body)).size).toBe(2);
      expect(clock.now() - begin).toBe(250 + 500 + 1000 + 2000);
    }));

  it('waits as long as the receiver asks for', () =>
    receiving(
      [429],
      async (url) => {
        const { sink, clock } = sinkTo(url);
        const begin = clock.now();
        await patiently(clock, Promise.resolve(sink.write(emissions(1))));
        expect(clock.now() - begin).toBe(7000);
      },
      { 'retry-after': '7' },
    ));

  it('jitters its waits', () =>
    receiving([503], async (url) => {
      const { sink, clock } = sinkTo(url, { random: () => 0 });
      const begin = clock.now();
      await patiently(clock, Promise.resolve(sink.write(emissions(1))));
      expect(clock.now() - begin).toBe(125);
    }));

  it('fails after the last attempt or another status, without query and secret', () =>
    receiving([503, 503, 503, 400], async (url, requests) => {
      const { sink, clock } = sinkTo(url, { attempts: 3, secret: 'between us' });
      const write = () => patiently(clock, Promise.resolve(sink.write(emissions(1))));
      const errors = [await write().catch(String), await write().catch(String)].join('\n');
      expect(errors).toMatch(/\/events" responded with 503 at attempt 3 of 3\./);
      expect(errors).toMatch(/\/events" responded with 400\. The sink does not retry this status\./);
      expect(errors).not.toMatch(/hush|between us/);
      expect(requests).toHaveLength(4);
    }));

  it('stops waiting when it is closed', () =>
    receiving([503], async (url, requests) => {
      const { sink, clock } = sinkTo(url);
      const writing = Promise.resolve(sink.write(emissions(1)));
      writing.catch(() => undefined);
      while (requests.length === 0) await new Promise(setImmediate);
      await sink.close();
      await expect(writing).rejects.toThrow();
      expect(clock.advanceToNext()).toBe(false);
    }));

  it.each([
    [{ url: 'ftp://127.0.0.1/' }, 'begins with http:// or https://'],
    [{ url: 'http://user:pass@127.0.0.1/' }, 'without a user name'],
    [{ url: 'http://127.0.0.1/', batch: 1001 }, '"batch" must be a whole number from 1 to 1000, not 1001'],
  ])('refuses %j', (options, message) => {
    expect(() => webhookSink(options)).toThrow(message);
  });
});
