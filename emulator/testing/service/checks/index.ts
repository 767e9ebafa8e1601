import { brokerCheck } from './broker.js';
import type { ServiceCheck } from './check.js';
import { crashesCheck } from './crashes.js';
import { dependenciesCheck } from './dependencies.js';
import { duplicatesCheck } from './duplicates.js';
import { occurrencesCheck } from './occurrences.js';
import { orderCheck } from './order.js';
import { platformCheck } from './platform.js';
import { poisonCheck } from './poison.js';
import { rebalanceCheck } from './rebalance.js';
import { retentionCheck } from './retention.js';
import { samplesCheck } from './samples.js';
import { varyCheck } from './vary.js';

/** The checks after the baseline, in the order in which they run. */
export const serviceChecks: readonly ServiceCheck[] = [
  duplicatesCheck,
  samplesCheck,
  occurrencesCheck,
  orderCheck,
  varyCheck,
  poisonCheck,
  crashesCheck,
  rebalanceCheck,
  retentionCheck,
  platformCheck,
  dependenciesCheck,
  brokerCheck,
];
