import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { injectFaults } from '../../run/faults/inject.js';
import { readFaults } from '../../run/faults/settings.js';
import type { OutgoingEvent } from '../../run/outgoing-event.js';
import type { PlanOptions } from '../../run/plan.js';
import { prepareRun } from '../../run/prepare-run.js';
import type { Source, SourceItem } from '../../run/source.js';
import { type Delivery, type Sent, untouched } from './delivery.js';

/** Deliveries, and the plan of the world that they are about. */
export interface PlayedEvents {
  readonly plan: PlanOptions;
  /** In the order of sending. */
  readonly deliveries: readonly Delivery[];
}

/** The deliveries of one scenario. */
export interface EventSequence extends PlayedEvents {
  /** Scenario and branch outcome, e.g. `house-move account=new`. */
  readonly name: string;
  /** Outcomes of branches, e.g. `house-move account=new`. */
  readonly branches: readonly string[];
}

/** A sequence, and what was sent, into which faults can be injected. */
export interface KeptSequence extends EventSequence {
  readonly items: readonly SourceItem[];
}

/** Most events of a sequence, so that an endless scenario ends. No built-in scenario sends as many. */
const maxEvents = 20_000;

/**
 * Plays a plan without faults.
 * @throws BusbarError as `prepareRun`
 */
export async function playSequence(
  name: string,
  plan: PlanOptions,
  catalogue: Catalogue,
): Promise<EventSequence> {
  const { items: _items, ...sequence } = await playAndKeep(name, plan, catalogue);
  return sequence;
}

/** Like {@link playSequence}, for {@link withFaults}. */
export async function playAndKeep(
  name: string,
  plan: PlanOptions,
  catalogue: Catalogue,
): Promise<KeptSequence> {
  const { source } = await prepareRun(plan, catalogue);
  const items = await itemsOf(name, source);
  const emissions = items.flatMap((item) => item.emissions);
  const deliveries = emissions.map((emission, nth) => untouched(sentBy(emission, nth)));
  return { name, plan, branches: [...source.branches.keys()], deliveries, items };
}

/** Returns the deliveries of a sequence with faults, in the syntax of `--faults`. @throws BusbarError as `readFaults` */
export async function withFaults(
  { name, plan, deliveries, items }: KeptSequence,
  faults: string,
  catalogue: Catalogue,
): Promise<Delivery[]> {
  const origins = new Map(deliveries.map(({ sent }) => [sent.id, sent]));
  const { seed = 1 } = plan;
  const options = { seed, settings: readFaults(faults), laterSettings: [], catalogue };
  const faulty = await itemsOf(name, injectFaults(sourceOf(items), options));
  const emissions = faulty.flatMap((item) => item.emissions);
  return emissions.map((emission) => {
    const origin = origins.get(emission.envelope.id);
    if (origin !== undefined && emission.faults.length === 0) return untouched(origin);
    return { sent: sentBy(emission, origin?.nth ?? 0), faults: emission.faults, origin };
  });
}

function sourceOf(items: readonly SourceItem[]): Source {
  const left = items.values();
  return {
    next: () => left.next().value,
    faults: new Map(),
    branches: new Map(),
    close: () => undefined,
  };
}

async function itemsOf(name: string, source: Source): Promise<readonly SourceItem[]> {
  const items: SourceItem[] = [];
  let count = 0;
  try {
    for (;;) {
      const pulled = await source.next();
      if (pulled === undefined || 'idleUntil' in pulled) break;
      items.push(pulled);
      count += pulled.emissions.length;
      if (count > maxEvents) {
        const message = `Scenario ${quoted(name)} sends more than ${maxEvents} events for one household. Choose others in "scenarios".`;
        throw new BusbarError('capacity-exceeded', message);
      }
    }
  } finally {
    await source.close();
  }
  return items;
}

function sentBy({ envelope, key, cell, headers, bytes, at, sentAt = at }: OutgoingEvent, nth: number): Sent {
  const name = `${envelope.event_type}-${envelope.version}`;
  return { nth, name, id: envelope.id, at: sentAt, key, cell, headers, bytes };
}
