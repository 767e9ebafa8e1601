import { type Delivery, untouched } from './delivery.js';

/** Returns the first candidate that shows a problem, and the problem. */
export async function firstWrong<Candidate, Wrong>(
  candidates: Iterable<Candidate>,
  wrongWith: (candidate: Candidate) => Promise<Wrong | undefined>,
): Promise<{ readonly candidate: Candidate; readonly problem: Wrong } | undefined> {
  for (const candidate of candidates) {
    const problem = await wrongWith(candidate);
    if (problem !== undefined) return { candidate, problem };
  }
  return undefined;
}

/** Whether these deliveries still reproduce the failure. */
type Reproduces = (deliveries: readonly Delivery[]) => Promise<boolean>;

/** Most calls of `reproduces`: a long sequence would take minutes. */
const questions = 150;

/**
 * Returns the fewest deliveries, with the fewest faults, that still reproduce the failure, within `maxQuestions` tries.
 * Removing a delivery or a fault would hide the failure. Delta debugging (Zeller and Hildebrandt, 2002). The same
 * deliveries shrink to the same result.
 */
export async function shrink(
  deliveries: readonly Delivery[],
  reproduces: Reproduces,
  options: { readonly maxQuestions?: number | undefined; readonly onlyFaults?: boolean | undefined } = {},
): Promise<readonly Delivery[]> {
  const { maxQuestions = questions, onlyFaults = false } = options;
  let left = maxQuestions;
  const asked: Reproduces = async (each) => left-- > 0 && (await reproduces(each));
  const fewest = await withFewestFaults(deliveries, asked);
  if (onlyFaults) return fewest;
  return fewer(await withFewestFaults(await fewer(fewest, asked), asked), asked);
}

async function withFewestFaults(
  deliveries: readonly Delivery[],
  reproduces: Reproduces,
): Promise<readonly Delivery[]> {
  const faulty = deliveries.filter(({ faults }) => faults.length > 0);
  const needed = await fewer(faulty, (some) => reproduces(withFaultsOf(some, deliveries)));
  let fewest = needed.length === faulty.length ? deliveries : withFaultsOf(needed, deliveries);
  for (const index of fewest.keys()) {
    const delivery = fewest[index];
    if (delivery?.origin === undefined || delivery.faults.length === 0) continue;
    for (const candidate of withFaultsRemoved(delivery, hasTwin(delivery, fewest))) {
      const others = fewest.with(index, candidate);
      if (!(await reproduces(others))) continue;
      fewest = others;
      break;
    }
  }
  return fewest;
}

/** Removes all faults of the other deliveries, and the deliveries that faults have added. */
function withFaultsOf(some: readonly Delivery[], deliveries: readonly Delivery[]): Delivery[] {
  const kept = new Set(some);
  return deliveries.flatMap((each) => {
    const { origin, faults } = each;
    if (faults.length === 0 || kept.has(each)) return [each];
    const isAdded = origin === undefined || (faults.includes('duplicate') && hasTwin(each, deliveries));
    return isAdded ? [] : [untouched(origin)];
  });
}

function hasTwin(delivery: Delivery, deliveries: readonly Delivery[]): boolean {
  return deliveries.some((each) => each !== delivery && each.origin?.nth === delivery.origin?.nth);
}

/**
 * Returns the delivery without faults, with only its restart, and with all faults except its restart: a restart affects
 * the consumer, not the event. A second delivery stays a duplicate.
 */
function withFaultsRemoved({ sent, origin, faults }: Delivery, isTwin: boolean): Delivery[] {
  if (origin === undefined) return [];
  const kept = faults.filter((fault) => isTwin && fault === 'duplicate');
  const clean: Delivery = { sent: origin, origin, faults: kept };
  const restart = { ...clean, faults: [...kept, ...faults.filter((fault) => fault === 'restart')] };
  const others = { sent, origin, faults: faults.filter((fault) => fault !== 'restart') };
  return [clean, restart, others].filter((each) => each.faults.length < faults.length);
}

async function fewer<T>(
  all: readonly T[],
  reproduces: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = all;
  let parts = 2;
  while (kept.length >= 2) {
    const size = Math.ceil(kept.length / parts);
    let rest: readonly T[] | undefined;
    for (let from = 0; from < kept.length; from += size) {
      const candidate = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await reproduces(candidate)) {
        rest = candidate;
        break;
      }
    }
    if (rest !== undefined) {
      kept = rest;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}
