import { openCatalogue } from 'busbar';
import type { OutgoingEvent, PlanOptions } from 'busbar-emulator';
import { measured } from '../built.js';

const { encoder, Plan } = measured;
const catalogue = openCatalogue();

/** Plays a run until `take` returns true. `take` gets the events of one occurrence. */
export async function run(options: PlanOptions, take: (emissions: readonly OutgoingEvent[]) => boolean) {
  const plan = new Plan(options);
  const encode = encoder(catalogue, plan.ordering);
  for (const occurred of plan.play()) {
    // Awaits only while a validator loads, as a run does.
    const encoded = encode(occurred);
    if (take(encoded instanceof Promise ? await encoded : encoded)) return;
  }
}
