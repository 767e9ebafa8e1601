import { type Delivery, untouched } from './delivery.js';

/** Whether these deliveries still show what is wrong. */
export type Shows = (deliveries: readonly Delivery[]) => Promise<boolean>;

/** So that a long course does not take minutes. */
const questions = 150;

/**
 * The fewest deliveries, with the fewest faults, that still show what is wrong: none of them can be left out, and no
 * fault mended (as long as that takes no more than `mostQuestions`). Delta debugging (Zeller and Hildebrandt, 2002); the
 * same deliveries and answers shrink to the same.
 */
export async function shrink(
  deliveries: readonly Delivery[],
  shows: Shows,
  options: { readonly mostQuestions?: number | undefined; readonly onlyFaults?: boolean | undefined } = {},
): Promise<readonly Delivery[]> {
  const { mostQuestions = questions, onlyFaults = false } = options;
  let left = mostQuestions;
  const asked: Shows = async (each) => left-- > 0 && (await shows(each));
  const fewest = await mended(deliveries, asked);
  if (onlyFaults) return fewest;
  return fewer(await mended(await fewer(fewest, asked), asked), asked);
}

/** With the fewest faults. */
async function mended(deliveries: readonly Delivery[], shows: Shows): Promise<readonly Delivery[]> {
  const faulty = deliveries.filter(({ faults }) => faults.length > 0);
  const needed = await fewer(faulty, (some) => shows(withFaultsOf(some, deliveries)));
  let fewest = needed.length === faulty.length ? deliveries : withFaultsOf(needed, deliveries);
  for (const index of fewest.keys()) {
    const delivery = fewest[index];
    if (delivery?.origin === undefined || delivery.faults.length === 0) continue;
    for (const candidate of mendings(delivery, hasTwin(delivery, fewest))) {
      const others = fewest.with(index, candidate);
      if (!(await shows(others))) continue;
      fewest = others;
      break;
    }
  }
  return fewest;
}

/** The others without any fault; those that a fault has added are not there then. */
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
 * Without any fault; or with a restart alone, or all but that, since it is done to the consumer and not to the event.
 * What comes twice remains a duplicate.
 */
function mendings({ sent, origin, faults }: Delivery, isTwin: boolean): Delivery[] {
  if (origin === undefined) return [];
  const kept = faults.filter((fault) => isTwin && fault === 'duplicate');
  const clean: Delivery = { sent: origin, origin, faults: kept };
  const restart = { ...clean, faults: [...kept, 'restart'] };
  const others = { sent, origin, faults: faults.filter((fault) => fault !== 'restart') };
  return [clean, restart, others].filter((each) => each.faults.length < faults.length);
}

async function fewer<T>(
  all: readonly T[],
  shows: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = all;
  let parts = 2;
  while (kept.length >= 2) {
    const size = Math.ceil(kept.length / parts);
    let rest: readonly T[] | undefined;
    for (let from = 0; from < kept.length; from += size) {
      const candidate = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await shows(candidate)) {
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
