import { BusbarError, didYouMean, nearest, quoted } from 'busbar/base';
import type { Check, InProcess } from './check.js';
import { baselineCheck } from './baseline.js';
import { brokerCheck } from './broker.js';
import { crashesCheck } from './crashes.js';
import { dependenciesCheck } from './dependencies.js';
import { duplicatesCheck } from './duplicates.js';
import type { OverTheWire } from '../service/experiment.js';
import { faultsCheck } from './faults.js';
import { floatingCheck } from './floating.js';
import { leaksCheck } from './leaks.js';
import { mutationCheck } from './mutation.js';
import { occurrencesCheck } from './occurrences.js';
import { orderCheck } from './order.js';
import { platformCheck } from './platform.js';
import { poisonCheck } from './poison.js';
import { rebalanceCheck } from './rebalance.js';
import { rejectionsCheck } from './rejections.js';
import { retentionCheck } from './retention.js';
import { retriesCheck } from './retries.js';
import { samplesCheck } from './samples.js';
import { timeZoneCheck } from './time-zone.js';
import { varyCheck } from './vary.js';
import { versionsCheck } from './versions.js';

/** All checks, in the order in which they run. Over the wire, those that wait longest must not run last. */
export const checks: readonly Check[] = [
  baselineCheck,
  samplesCheck,
  mutationCheck,
  rejectionsCheck,
  versionsCheck,
  floatingCheck,
  duplicatesCheck,
  occurrencesCheck,
  rebalanceCheck,
  brokerCheck,
  orderCheck,
  varyCheck,
  retriesCheck,
  dependenciesCheck,
  platformCheck,
  crashesCheck,
  retentionCheck,
  leaksCheck,
  poisonCheck,
  timeZoneCheck,
  faultsCheck,
];

export type CheckInProcess = Check & InProcess;
export type CheckOverTheWire = Check & { readonly overTheWire: OverTheWire };

export const checksInProcess = checks.filter((each): each is CheckInProcess => each.run !== undefined);
export const checksOverTheWire = checks.filter(
  (each): each is CheckOverTheWire => each.overTheWire !== undefined,
);

/** Returns the checks with these names. Default: all. @throws BusbarError `invalid-option` for an unknown name */
export function chosenOf<C extends Check>(
  among: readonly C[],
  only: readonly string[] | undefined,
): readonly C[] {
  const names = among.map(({ name }) => name);
  for (const name of only ?? []) {
    if (names.includes(name)) continue;
    const hint = didYouMean(nearest(name, names)) || ` There are: ${names.join(', ')}.`;
    throw new BusbarError('invalid-option', `Check ${quoted(name)} does not exist.${hint}`);
  }
  return among.filter(({ name }) => only === undefined || only.includes(name));
}
