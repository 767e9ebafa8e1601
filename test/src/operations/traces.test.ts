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
import { BusbarError } from 'busbar';
import { virtualClock } from 'busbar/base';
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
  it('record a span per event, which continues the record’s trace', async () => {
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

  it('start a new trace when the record carries none', async () => {
    await context.with(trace.setSpan(ROOT_CONTEXT, tracer.startSpan('outside')), () =>
      consume(() => undefined),
    );
    expect(exporter.getFinishedSpans()).toMatchObject([{ parentSpanContext: undefined }]);
  });

  it('stay active in the handler, also after an await', async () => {
    await consume(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      tracer.startSpan('inner').end();
    });
    const [inner, outer] = exporter.getFinishedSpans();
    expect([inner!.name, outer!.name]).toEqual(['inner', 'process account.created-v1']);
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId);
  });

  it('record one span per attempt with its outcome, without the message', async () => {
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
        events.map(({ name, attributes: fields }) => [name, fields]),
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

  it('mark an attempt that resolves after its deadline as failed', async () => {
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

/** Handles one event, and resolves when the run is idle. */
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

/** A short version of the SDK for Node. */
function localContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
