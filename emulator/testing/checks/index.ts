import type { Check } from './check.js';
import { duplicatesCheck } from './duplicates.js';
import { faultsCheck } from './faults.js';
import { leaksCheck } from './leaks.js';
import { lossyFaultsCheck } from './lossy-faults.js';
import { mutationCheck } from './mutation.js';
import { orderCheck } from './order.js';
import { platformErrorsCheck } from './platform-errors.js';
import { rejectionsCheck } from './rejections.js';
import { retriesCheck } from './retries.js';
import { samplesCheck } from './samples.js';
import { scenariosCheck } from './scenarios.js';
import { shutdownCheck } from './shutdown.js';
import { swallowedErrorsCheck } from './swallowed-errors.js';
import { unknownFieldsCheck } from './unknown-fields.js';
import { varyCheck } from './vary.js';
import { versionsCheck } from './versions.js';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  samplesCheck,
  unknownFieldsCheck,
  mutationCheck,
  rejectionsCheck,
  versionsCheck,
  scenariosCheck,
  duplicatesCheck,
  orderCheck,
  varyCheck,
  retriesCheck,
  swallowedErrorsCheck,
  platformErrorsCheck,
  shutdownCheck,
  leaksCheck,
  lossyFaultsCheck,
  faultsCheck,
];
