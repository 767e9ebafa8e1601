import type { ServiceCheck } from './check.js';
import { crashesCheck } from './crashes.js';
import { duplicatesCheck } from './duplicates.js';

/** The checks after the baseline, in the order in which they run. */
export const serviceChecks: readonly ServiceCheck[] = [duplicatesCheck, crashesCheck];
