import type { BusbarEnvelope } from 'busbar';
import { type RandomStream, randomStream } from '../../engine/random.js';
import { type SurvivableFault, survivableFaults } from './contract.js';
import type { EventSequence } from './event-sequence.js';
import { type Delivery, type Sent, sentEvent } from './delivery.js';

/** A random plan of faults: the emulator's own, and restarts and extra events between deliveries. */
interface FaultPlan {
  /** Faults in the syntax of `--faults`; undefined for none. */
  readonly faults: string | undefined;
  /** Probability of a restart or an unknown event after each delivery. */
  readonly rates: Readonly<Record<'restart' | 'unknown-event' | 'unknown-version', number>>;
}

/** Draws one to four kinds of faults and their rates. */
export function drawFaultPlan(random: RandomStream, wanted: readonly SurvivableFault[]): FaultPlan {
  const left = [...wanted];
  const kinds = new Set<SurvivableFault>();
  const most = Math.min(4, left.length);
  while (kinds.size < 1 + random.integer(0, Math.max(0, most - 1)) && left.length > 0) {
    kinds.add(...(left.splice(random.integer(0, left.length - 1), 1) as [SurvivableFault]));
  }
  const share = () => random.integer(10, 60);
  const span = () => spans[random.integer(0, spans.length - 1)] ?? 'none';
  const settings: Readonly<Partial<Record<SurvivableFault, () => string>>> = {
    duplicate: () => `duplicate=${share()}%`,
    delay: () => `delay=${share()}%:${span()}`,
    reorder: () => `reorder=${share()}%:${span()}`,
    burst: () => `burst=10x:${span()}:${share()}%`,
    'extra-field': () => `extra-field=${share()}%`,
  };
  const faults = survivableFaults.flatMap((kind) => (kinds.has(kind) ? (settings[kind]?.() ?? []) : []));
  const rate = (kind: SurvivableFault) => (kinds.has(kind) ? share() / 200 : 0);
  return {
    faults: faults.length === 0 ? undefined : faults.join(','),
    rates: {
      restart: rate('restart'),
      'unknown-event': rate('unknown-event'),
      'unknown-version': rate('unknown-version'),
    },
  };
}

const spans = ['1s', '1m', '10m', '2h', '1d', '7d'] as const;

/** Adds restarts of the consumer, and unknown events next to the others: the emulator's faults replace an event. */
export function withFaultPlan(sequence: EventSequence, { rates }: FaultPlan, seed: number): Delivery[] {
  const random = randomStream(seed, 'verify', 'disturbed', sequence.name);
  return sequence.deliveries.flatMap((delivery) => {
    const restarts = random.chance(rates.restart);
    const added = (['unknown-event', 'unknown-version'] as const)
      .filter((kind) => random.chance(rates[kind]))
      .map((kind) => ({ sent: unknown(delivery.sent, kind, random), faults: [kind], origin: undefined }));
    const own = restarts ? { ...delivery, faults: [...delivery.faults, 'restart'] } : delivery;
    return [own, ...added];
  });
}

/** Returns the event with a type or version that the catalogue does not have. */
function unknown(sent: Sent, kind: 'unknown-event' | 'unknown-version', random: RandomStream): Sent {
  const { event_type: known, payload } = JSON.parse(sent.bytes.toString()) as BusbarEnvelope;
  const [type, version] = kind === 'unknown-event' ? [`${known}.unannounced`, 'v1'] : [known, 'v99'];
  return sentEvent({ name: `${type}-${version}`, type, version }, payload, { ...sent, id: random.uuid() });
}
