import type { Check } from './check.js';
import { baselineCheck } from './baseline.js';
import { crashesCheck } from './crashes.js';
import { dependenciesCheck } from './dependencies.js';
import { duplicatesCheck } from './duplicates.js';
import { faultsCheck } from './faults.js';
import { floatingCheck } from './floating.js';
import { leaksCheck } from './leaks.js';
import { mutationCheck } from './mutation.js';
import { occurrencesCheck } from './occurrences.js';
import { orderCheck } from './order.js';
import { platformCheck } from './platform.js';
import { poisonCheck } from './poison.js';
import { rejectionsCheck } from './rejections.js';
import { retriesCheck } from './retries.js';
import { samplesCheck } from './samples.js';
import { varyCheck } from './vary.js';
import { versionsCheck } from './versions.js';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  baselineCheck,
  samplesCheck,
  mutationCheck,
  rejectionsCheck,
  versionsCheck,
  floatingCheck,
  duplicatesCheck,
  occurrencesCheck,
  orderCheck,
  varyCheck,
  retriesCheck,
  dependenciesCheck,
  platformCheck,
  crashesCheck,
  leaksCheck,
  poisonCheck,
  faultsCheck,
];
