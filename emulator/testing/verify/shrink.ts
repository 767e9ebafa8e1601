import { type Delivery, untouched } from './delivery.js';

/** Whether these deliveries still show what is wrong. */
export type Shows = (deliveries: readonly Delivery[]) => Promise<boolean>;

/** How often it is asked at most, so that a long course does not take minutes. */
const mostQuestions = 300;

/**
 * The fewest deliveries, with the fewest faults, that still show what is wrong: none of them can be left out, and no
 * fault mended (as long as that takes no more than 300 questions). Delta debugging (Zeller and Hildebrandt, 2002); the
 * same deliveries and answers shrink to the same.
 */
export async function shrink(deliveries: readonly Delivery[], shows: Shows): Promise<readonly Delivery[]> {
  let left = mostQuestions;
  const asked: Shows = async (each) => left-- > 0 && (await shows(each));
  let fewest = await fewer(deliveries, asked);
  for (const index of fewest.keys()) {
    const delivery = fewest[index];
    if (delivery?.origin === undefined || delivery.faults.length === 0) continue;
    for (const mended of mendings(delivery)) {
      const candidate = fewest.with(index, mended);
      if (!(await asked(candidate))) continue;
      fewest = candidate;
      break;
    }
  }
  return fewer(fewest, asked);
}

/** Without any fault, or with each alone that is done to it after it was encoded. */
function mendings({ sent, origin, faults }: Delivery): Delivery[] {
  if (origin === undefined) return [];
  const clean = untouched(origin);
  if (!faults.includes('restart') || faults.length === 1) return [clean];
  return [
    clean,
    { ...clean, faults: ['restart'] },
    { sent, origin, faults: faults.filter((fault) => fault !== 'restart') },
  ];
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
