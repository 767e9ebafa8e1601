import { ourself, otherSuppliers } from '../../world/vocabulary/participants.js';
import { type DisputeStage, disputeResponses } from '../../world/vocabulary/disputes.js';
import type { Subject } from '../subject.js';
import { gasMeter } from './gas-meter.js';

/** An argument about the gas reading on which a customer changed supplier. */
export interface Dispute {
  /** True when the customer joined us: the reading opens our bill. */
  readonly isGain: boolean;
  readonly initiator: string;
  readonly recipient: string;
  readonly disputed: number;
  readonly proposed: number;
  readonly disputedIsActual: boolean;
  readonly proposedIsActual: boolean;
  readonly status: string;
  readonly code: string;
}

export function dispute(subject: Subject): Dispute {
  return subject.once('dispute', (random) => {
    const { eventType } = subject;
    const stage = (Object.keys(disputeResponses) as DisputeStage[]).find((each) =>
      eventType.includes(`.${each}.`),
    );
    const response = disputeResponses[stage ?? 'started'];
    // Whoever starts a dispute initiates it; it is mostly the other one who answers.
    const byUs = eventType.endsWith('.by_us');
    const weInitiated = stage === 'started' ? byUs : !byUs;
    const other = otherGasSupplier(subject);
    const disputed = gasMeter(subject).reading;
    const proposed = disputed + random.integer(50, 900) * (random.chance(0.5) ? 1 : -1);
    return {
      isGain: eventType.includes('disputed_opening_reading'),
      initiator: weInitiated ? ourself.gas : other,
      recipient: weInitiated ? other : ourself.gas,
      disputed,
      proposed,
      disputedIsActual: random.chance(0.7),
      proposedIsActual: random.chance(0.7),
      status: response.status,
      code: random.pick<string>(response.codes),
    };
  });
}

export function otherGasSupplier(subject: Subject): string {
  return otherSupplier(subject).gas;
}

export function otherSupplier(subject: Subject): (typeof otherSuppliers)[number] {
  return subject.once('other supplier', (random) => random.pick(otherSuppliers));
}
