import { sampledHouseholds, sampleSource } from '../../verify/sample-deliveries.js';
import type { Experiment } from '../experiment.js';
import { type CheckInput, chooser, type ServiceCheck } from './check.js';

/** Requires every kind of valid payload to be handled, in its place in a story. */
export const samplesCheck: ServiceCheck = {
  name: 'samples',
  parts: async (input) => [{ sharing: 'together', experiments: await experimentsOf(input) }],
};

async function experimentsOf(input: CheckInput): Promise<Experiment[]> {
  const choose = chooser(input);
  const { world, contract } = input;
  const source = await sampleSource(world.catalogue, world.documents, contract.seed ?? 1);
  return world.exercised.flatMap((about) => {
    const event = world.catalogue.events.find(({ name }) => name === about);
    if (event === undefined) return [];
    const households = Array.from({ length: sampledHouseholds }, () => choose(about)?.deliveries ?? []);
    const { deliveries, samples } = source.inHouseholds(
      event,
      households.filter((each) => each.length > 0),
    );
    return samples.map(({ kind, sent: { cell } }) => ({
      label: `as the sample "${kind}"`,
      about,
      deliveries: deliveries.filter(({ sent }) => sent.cell === cell),
      // A changed payload may change fields.
      wrongIf: 'without effect',
    }));
  });
}
