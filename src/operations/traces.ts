import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { nonEmptyText, objectWith, type OptionTable, readOptions } from '../base/options.js';
import { BusbarError, type ErrorCode } from '../base/errors.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { RunObserver } from '../running/observer.js';
import type { RecordHeaders } from '../transports/transport.js';
import { optionalPackage } from './optional-package.js';

/** Options of {@link traces}. */
export interface TraceOptions {
  /** `Tracer` of OpenTelemetry. Default: the tracer `busbar` of the globally registered provider. */
  readonly tracer?: TracerLike;
  /** Value of `messaging.system` in the spans. Default `kafka`. */
  readonly system?: string;
}

const traceOptions = {
  tracer: { type: objectWith('a Tracer of OpenTelemetry', 'startSpan') },
  system: { type: nonEmptyText, default: 'kafka' },
} satisfies OptionTable<TraceOptions>;

/** The used part of OpenTelemetry's `Tracer`, declared here so that types do not require the package. */
export interface TracerLike {
  startSpan(name: string, options?: object, context?: object): object;
}

/**
 * Creates an observer that records a span for each attempt with OpenTelemetry (`@opentelemetry/api`, a peer dependency).
 * The span continues the trace in the record's headers, by the globally registered propagator, and is active in the
 * handler. It contains no payload, no key and no message of a handler's error.
 * @throws BusbarError `missing-package`
 * @example
 * const running = await run(transport, { observer: await traces() });
 */
export async function traces(
  options: TraceOptions = {},
): Promise<Required<Pick<RunObserver, 'around' | 'attempted'>>> {
  const { system } = readOptions('traces()', traceOptions, options);
  const { context, propagation, SpanKind, SpanStatusCode, trace } = await optionalPackage(
    '@opentelemetry/api',
    'traces()',
    () => import('@opentelemetry/api'),
  );
  const tracer = (options.tracer as Tracer | undefined) ?? trace.getTracer('busbar');
  const spans = new WeakMap<HandlerContext, Span>();

  const fail = (span: Span, code: ErrorCode, message?: string) => {
    span.setAttribute('error.type', code);
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
  };

  return {
    around(event, attempt, run) {
      // A span that is active in the read loop is unrelated to the record.
      const outside = trace.deleteSpan(context.active());
      const parent = propagation.extract(outside, event.record.headers, headerTexts);
      const name = `process ${event.type}-${event.version}`;
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind.CONSUMER,
          attributes: { 'messaging.system': system, ...attributesOf(event, attempt) },
        },
        parent,
      );
      spans.set(attempt, span);
      const failed = (error: unknown): never => {
        if (error instanceof BusbarError) fail(span, error.code, error.message);
        else fail(span, 'handler-failed');
        throw error;
      };
      try {
        const pending = context.with(trace.setSpan(parent, span), run);
        // Keeps synchronous handlers synchronous.
        return pending === undefined ? undefined : Promise.resolve(pending).catch(failed);
      } catch (error) {
        return failed(error);
      }
    },
    /** Ends the span here, because `around` does not know whether the attempt was late or is retried. */
    attempted(_, attempt, { outcome, retryIn }) {
      const span = spans.get(attempt);
      if (span === undefined) return;
      if (outcome === 'late') fail(span, 'deadline-exceeded');
      if (retryIn !== undefined) span.addEvent('retry', { 'busbar.retry_in': retryIn });
      span.end();
    },
  };
}

/**
 * Returns span attributes. `messaging.*` follows the OpenTelemetry semantic conventions, which are still in development.
 * `busbar.*` adds names that the conventions lack.
 */
function attributesOf(event: AnyEvent, { attempt, consumer, handler }: HandlerContext): Attributes {
  const { topic, partition, offset, value } = event.record;
  return {
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.kafka.offset': offset,
    ...(event.id === undefined ? {} : { 'messaging.message.id': event.id }),
    'messaging.message.body.size': value?.byteLength ?? 0,
    'busbar.event.type': event.type,
    'busbar.event.version': event.version,
    'busbar.consumer': consumer,
    'busbar.handler': handler,
    'busbar.attempt': attempt,
  };
}

const utf8 = new TextDecoder();

/** Reads a record's headers for a propagator. */
const headerTexts = {
  keys: (headers: RecordHeaders) => [...headers].map(([name]) => name),
  get(headers: RecordHeaders, name: string) {
    const bytes = headers.get(name);
    return bytes && utf8.decode(bytes);
  },
};
