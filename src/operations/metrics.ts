import type { Registry } from 'prom-client';
import { checkOptions, objectWith, type OptionTable } from '../base/options.js';
import type { Drift } from '../dispatch.js';
import type { EventKey } from '../envelope/envelope.js';
import { BusbarError } from '../base/errors.js';
import type { AttemptEnd, RunObserver, Settlement } from '../running/observer.js';
import type { RunningConsumer } from '../running/running-consumer.js';
import { counters, durations } from './counters.js';
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
  if (registry.getSingleMetric(durations.name) !== undefined) {
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
  const counter = <L extends string>(definition: { name: string; help: string; labelNames: readonly L[] }) =>
    new client.Counter<L>({ ...definition, registers });
  const handled = counter(counters.handled);
  const skipped = counter(counters.skipped);
  const deadLettered = counter(counters.deadLettered);
  const retried = counter(counters.retried);
  const unknownEvents = counter<never>(counters.unknownEvents);
  const unknownFields = counter(counters.unknownFields);
  const invalid = counter(counters.invalid);
  const duration = new client.Histogram({ ...durations, buckets: [...durations.buckets], registers });

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

/** The catalogue name. */
function nameOf({ type, version }: EventKey): string {
  return `${type}-${version}`;
}
