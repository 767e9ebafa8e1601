import type { Delivery } from './delivery.js';

/** Whether these deliveries still show what is wrong. */
export type Shows = (deliveries: readonly Delivery[]) => Promise<boolean>;

/** How often it is asked at most, so that a long course does not take minutes. */
const mostQuestions = 150;

/**
 * The fewest deliveries, with the fewest faults, that still show what is wrong: none of them can be left out, and no
 * fault mended (as long as that takes no more than 150 questions, and no longer than `within` milliseconds). Delta debugging (Zeller and Hildebrandt, 2002); the
 * same deliveries and answers shrink to the same.
 */
export async function shrink(
  deliveries: readonly Delivery[],
  shows: Shows,
  within = Infinity,
): Promise<readonly Delivery[]> {
  const until = performance.now() + within;
  let left = mostQuestions;
  const asked: Shows = async (each) => left-- > 0 && performance.now() < until && (await shows(each));
  let fewest = await fewer(deliveries, asked);
  for (const index of fewest.keys()) {
    const delivery = fewest[index];
    if (delivery?.origin === undefined || delivery.faults.length === 0) continue;
    const isTwin = fewest.some((each) => each !== delivery && each.origin?.nth === delivery.origin?.nth);
    for (const mended of mendings(delivery, isTwin)) {
      const candidate = fewest.with(index, mended);
      if (!(await asked(candidate))) continue;
      fewest = candidate;
      break;
    }
  }
  return fewer(fewest, asked);
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

async function fewer(deliveries: readonly Delivery[], shows: Shows): Promise<readonly Delivery[]> {
  let kept = deliveries;
  let parts = 2;
  while (kept.length >= 2) {
    const size = Math.ceil(kept.length / parts);
    let rest: readonly Delivery[] | undefined;
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
