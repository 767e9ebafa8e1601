import type { Exercise } from '../verify/exercise.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import { inexactFields } from '../verify/inexact.js';
import { tablesIn } from '../verify/states.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found } from './check.js';
import { firstFailure, groundTruthMismatch } from '../verify/judge.js';

/** Requires all events of all branches to be handled, and the projection to match the ground truth. */
export const baselineCheck: Check = {
  name: 'baseline',
  title: "the platform's sequences are handled, and the projection matches the ground truth",
  async *run(subject) {
    for (const sequence of subject.sequences) {
      const done = await subject.baseline(sequence);
      for (const { name } of inexactFields(tablesIn(done.state))) subject.inexact.add(name);
      const isIndivisible = firstFailure(done) === undefined;
      yield { ...found(sequence.name, await wrong(subject, sequence, done), sequence), isIndivisible };
    }
  },
  // It runs before the other checks, which compare with it.
  overTheWire: { parts: () => [] },
  wrongWith: async (subject, counterexample) =>
    wrong(subject, counterexample, await subject.exercise(counterexample)),
};

async function wrong(subject: Subject, counterexample: PlayedEvents, done: Exercise) {
  return firstFailure(done) ?? (await groundTruthMismatch(subject, counterexample, done));
}
