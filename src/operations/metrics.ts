import type { Registry } from 'prom-client';
import { checkOptions, objectWith, type OptionTable } from '../base/options.js';
import type { Drift } from '../dispatch.js';
import type { EventKey } from '../envelope/envelope.js';
import { BusbarError } from '../base/errors.js';
import type { AttemptEnd, RunObserver, Settlement } from '../running/observer.js';
import type { RunningConsumer } from '../running/running-consumer.js';
import { gauges } from './gauges.js';
import { optionalPackage } from './optional-package.js';

/** Options of {@link metrics}. */
export interface MetricsOptions {
  /** `Registry` of prom-client for the metrics. Default: a new one. */
  readonly registry?: MetricsRegistry;
}

const metricsOptions = {
  registry: { type: objectWith('a Registry of prom-client', 'metrics', 'getSingleMetric') },
} satisfies OptionTable<MetricsOptions>;

/** The used part of prom-client's `Registry`, declared here so that types do not require the package. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** An observer that counts events, with its metrics. */
export interface Metrics extends RunObserver {
  readonly registry: MetricsRegistry;
  readonly contentType: string;
  /** Returns all metrics of the registry in the text format of Prometheus. */
  text(): Promise<string>;
}

/**
 * Creates metrics of one consumer with prom-client, a peer dependency. A later run of the consumer continues the
 * counters and replaces the gauges.
 * @throws BusbarError `missing-package`; `invalid-option` for a registry that already has metrics of a consumer
 * @example
 * const meter = await metrics();
 * const running = await run(transport, { observer: meter });
 */
export async function metrics(options: MetricsOptions = {}): Promise<Metrics> {
  checkOptions<MetricsOptions>('metrics()', metricsOptions, options);
  const client = await optionalPackage('prom-client', 'metrics()', () => import('prom-client'));
  const registry = (options.registry as Registry | undefined) ?? new client.Registry();
  if (registry.getSingleMetric(durationName) !== undefined) {
    throw new BusbarError(
      'invalid-option',
      'metrics(): the registry already has the metrics of a consumer. Give each consumer its own registry.',
    );
  }
  const registers = [registry];
  let running: RunningConsumer | undefined;

  for (const { name, help, labels, read } of gauges) {
    new client.Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect() {
        // Removes samples of partitions that were revoked.
        this.reset();
        if (running === undefined) return;
        for (const sample of read(running.health())) this.set(sample.labels, sample.value);
      },
    });
  }
  const counter = <L extends string>(name: string, help: string, ...labelNames: readonly L[]) =>
    new client.Counter<L>({ name, help, labelNames, registers });
  const handled = counter('busbar_handled_total', 'Events whose handler succeeded.', 'event', 'handler');
  const skipped = counter('busbar_skipped_total', 'Records that no handler received, by reason.', 'reason');
  const deadLettered = counter(
    'busbar_dead_lettered_total',
    'Records that were dead-lettered, by error code; the handler is empty if none ran.',
    'event',
    'handler',
    'code',
  );
  const retried = counter('busbar_retried_total', 'Failed attempts that are retried.', 'event', 'handler');
  const unknownEvents = counter<never>(
    'busbar_unknown_events_total',
    'Records of events that the catalogue does not have.',
  );
  const unknownFields = counter(
    'busbar_unknown_fields_total',
    'Valid events with fields that their schema does not name, among one in 16 that are checked.',
    'event',
  );
  const invalid = counter(
    'busbar_invalid_total',
    'Events that broke a rule of their schema, once for each rule.',
    'event',
    'rule',
  );
  const duration = new client.Histogram({
    name: durationName,
    help: 'Duration of an attempt, by outcome: handled, failed or late.',
    labelNames: ['handler', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
    registers,
  });

  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    started(run) {
      running = run;
    },
    attempted(event, { handler }, end: AttemptEnd) {
      duration.observe({ handler, outcome: end.outcome }, end.duration / 1000);
      if (end.retryIn !== undefined) retried.inc({ event: nameOf(event), handler });
    },
    settled(_, settlement: Settlement) {
      switch (settlement.outcome) {
        case 'handled':
          handled.inc({ event: nameOf(settlement.event), handler: settlement.handler });
          break;
        case 'skipped':
          skipped.inc({ reason: settlement.reason });
          break;
        case 'dead-lettered': {
          const { code, handler = '' } = settlement.cause;
          const isKnown = settlement.event !== undefined && code !== 'unknown-record';
          deadLettered.inc({ event: isKnown ? nameOf(settlement.event) : 'other', handler, code });
        }
      }
    },
    drifted(drift: Drift) {
      switch (drift.kind) {
        case 'unknown-event':
          // Without the name: a stream of random names must not fill the registry.
          unknownEvents.inc();
          break;
        case 'unknown-fields':
          unknownFields.inc({ event: nameOf(drift.event) });
          break;
        case 'invalid':
          for (const rule of drift.rules) invalid.inc({ event: nameOf(drift.event), rule });
      }
    },
  };
}

const durationName = 'busbar_handler_duration_seconds';

/** Returns the catalogue name, the label `event`. */
function nameOf({ type, version }: EventKey): string {
  return `${type}-${version}`;
}
