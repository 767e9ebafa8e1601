import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  context,
  type ContextManager,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { BusbarError, virtualClock } from 'busbar';
import { traces } from 'busbar/operations';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { account, type AccountHandler, playOut, setUp } from '../account-consumer.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('test');
const traceId = '0af7651916cd43dd8448eb211c80319c';
const sender = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${sender}-01`;

beforeAll(() => {
  context.setGlobalContextManager(localContexts());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(async () => {
  context.disable();
  propagation.disable();
  await provider.shutdown();
});
beforeEach(() => exporter.reset());

describe('traces', () => {
  it("are a span for each event, which continues the record's trace, named by the conventions", async () => {
    await consume(() => undefined, { headers: { traceparent } });
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({
      name: 'process account.created-v1',
      kind: SpanKind.CONSUMER,
      parentSpanContext: { traceId, spanId: sender, isRemote: true },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(span!.spanContext().traceId).toBe(traceId);
    expect(span!.attributes).toEqual({
      'messaging.system': 'memory',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'platform.events',
      'messaging.destination.partition.id': '0',
      'messaging.kafka.offset': 0,
      'messaging.message.id': '018f3c2e-0000-7000-8000-000000000001',
      'messaging.message.body.size': account('A-5EC7E7').value.length,
      'busbar.event.type': 'account.created',
      'busbar.event.version': 'v1',
      'busbar.consumer': 'consumer',
      'busbar.handler': 'account.created-v1',
      'busbar.attempt': 1,
    });
  });

  it('begin anew where the record carries no trace, whatever is active outside', async () => {
    await context.with(trace.setSpan(ROOT_CONTEXT, tracer.startSpan('outside')), () =>
      consume(() => undefined),
    );
    expect(exporter.getFinishedSpans()).toMatchObject([{ parentSpanContext: undefined }]);
  });

  it('are active within the handler, also after it has waited', async () => {
    await consume(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      tracer.startSpan('inner').end();
    });
    const [inner, outer] = exporter.getFinishedSpans();
    expect([inner!.name, outer!.name]).toEqual(['inner', 'process account.created-v1']);
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId);
  });

  it('have one span for each attempt, which says what came of it, and nothing of what was thrown', async () => {
    await consume((_, { attempt }) => {
      if (attempt === 1) throw new Error('A-5EC7E7');
      if (attempt === 2) throw new BusbarError('not-authorized', 'The platform refuses "billing".');
    });
    const spans = exporter.getFinishedSpans();
    expect(
      spans.map(({ attributes, status, events }) => [
        attributes['busbar.attempt'],
        attributes['error.type'],
        status,
        events.map(({ name, attributes: told }) => [name, told]),
      ]),
    ).toEqual([
      [1, 'handler-failed', { code: SpanStatusCode.ERROR }, [['retry', { 'busbar.retry_in': 1_000 }]]],
      [
        2,
        'not-authorized',
        { code: SpanStatusCode.ERROR, message: 'The platform refuses "billing".' },
        [['retry', { 'busbar.retry_in': 2_000 }]],
      ],
      [3, undefined, { code: SpanStatusCode.UNSET }, []],
    ]);
    const all = spans.map(({ attributes, events, status }) => ({ attributes, events, status }));
    expect(JSON.stringify(all)).not.toContain('A-5EC7E7');
  });

  it('call an attempt failed that ended after its deadline, though it resolved', async () => {
    // The deadline is on the wall clock, which here obeys.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await consume(
        async ({}, { attempt, signal }) => {
          if (attempt > 1) return;
          setImmediate(() => vi.advanceTimersByTime(500));
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
        { deadline: 500 },
      );
    } finally {
      vi.useRealTimers();
    }
    expect(exporter.getFinishedSpans()).toMatchObject([
      { attributes: { 'error.type': 'deadline-exceeded' }, status: { code: SpanStatusCode.ERROR } },
      { status: { code: SpanStatusCode.UNSET } },
    ]);
  });
});

/** Lets the handler have one event, until all comes to rest. */
async function consume(
  handler: AccountHandler,
  { headers = {}, deadline = 60_000 }: { headers?: Record<string, string>; deadline?: number } = {},
): Promise<void> {
  const clock = virtualClock();
  const retry = { attempts: 3, backoff: { initial: 1_000, jitter: 'none' } } as const;
  const { transport, run } = setUp(handler, { retry, deadline });
  const sent = account('A-5EC7E7');
  transport.send({ ...sent, headers: { ...sent.headers, ...headers } });
  await playOut(await run({ clock, observer: await traces({ tracer, system: 'memory' }) }), clock);
}

/** What the SDK for Node brings along, in short. */
function localContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
