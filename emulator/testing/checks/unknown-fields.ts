import { type Check, found } from './check.js';
import { troubleIn } from './judge.js';

/** Requires unknown fields to be tolerated: the platform may add fields. */
export const unknownFieldsCheck: Check = {
  name: 'unknown-fields',
  title: 'unknown fields are tolerated',
  async *run(subject) {
    for (const event of subject.handled) {
      const samples = subject.samplesOf(event);
      const strange = samples.filter(({ kind }) => kind === 'unknown fields');
      const full = samples.filter(({ kind }) => kind === 'full');
      const ids = new Set(strange.map(({ sent }) => sent.id));
      const done = await subject.ofSamples(event);
      const trouble = troubleIn(done, (id) => ids.has(id));
      // A handler that fails on the full payload, too, does not fail because of unknown fields.
      const isOwn =
        trouble !== undefined &&
        done.failure === undefined &&
        troubleIn(await subject.exercise(full)) === undefined;
      const exhibit = { plan: { seed: subject.seed }, deliveries: strange };
      yield found(event.name, isOwn ? `With unknown fields, ${trouble}` : undefined, exhibit);
    }
  },
  wrongWith: async (subject, { plan, deliveries }) => troubleIn(await subject.exercise(deliveries, { plan })),
};
