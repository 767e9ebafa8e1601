import { openCatalogue } from 'busbar';
import type { Emission, PlanOptions } from 'busbar/emulator';
import { measured } from '../built.js';

const { encoder, planRun } = measured;
const catalogue = openCatalogue();

/** Plays a run until `take`, which gets what came about together, answers that it has enough. */
export async function run(options: PlanOptions, take: (emissions: readonly Emission[]) => boolean) {
  const { ordering, occurrences } = planRun(options);
  const encode = encoder(catalogue, ordering);
  for (const occurred of occurrences) {
    // As a run does: it waits only while a validator loads.
    const encoded = encode(occurred);
    if (take(encoded instanceof Promise ? await encoded : encoded)) return;
  }
}
