import { differences } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import { FloatingWork } from '../verify/floating-work.js';
import { frameAt } from '../verify/shown-error.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Counterexample, found, type Verdict } from './check.js';
import { listed, placeOf } from './judge.js';

/**
 * Requires work to end before its handler does: a stop of the process would lose it. Work that the state does not show,
 * or that a restart repeats, is only pointed out: metrics and an outbox may work later.
 */
export const floatingCheck: Check = {
  name: 'floating',
  title: 'no work continues after its event is settled',
  comparesStates: true,
  async *run(subject) {
    for (const { name } of subject.handled) {
      const counterexample = await endingWith(subject, name);
      const { problem, isWarning } = await judged(subject, counterexample);
      const verdict: Verdict = found(name, problem, counterexample);
      yield { ...verdict, isWarning };
    }
  },
  wrongWith: async (subject, counterexample) => {
    const { problem, isWarning } = await judged(subject, counterexample);
    return isWarning ? undefined : problem;
  },
};

/** Returns a story up to the event: work after the last event is the easiest to see. */
async function endingWith(subject: Subject, name: string): Promise<Counterexample> {
  for (const { plan, deliveries } of await subject.stories()) {
    const end = deliveries.findIndex(({ sent }) => sent.name === name);
    if (end !== -1) return { plan, deliveries: deliveries.slice(0, end + 1) };
  }
  return { plan: { seed: subject.seed }, deliveries: [] };
}

interface Judgement {
  readonly problem: Problem | undefined;
  readonly isWarning: boolean;
}

async function judged(subject: Subject, { plan, deliveries }: Counterexample): Promise<Judgement> {
  const { id = '', name: about = '' } = deliveries.at(-1)?.sent ?? {};
  const watched = async (crashes: boolean) => {
    const floating = new FloatingWork(id, crashes);
    const { state, lateState } = await subject.exercise(deliveries, { plan, floating, linger: true });
    return { state, lateState, open: floating.open };
  };
  const { state, lateState, open } = await watched(false);
  const own = open.filter(({ isOwn }) => isOwn);
  const [work] = own;
  const where = work && { error: { kind: work.kind, frame: frameAt(work.at) } };
  const pointers = differences(state, lateState);
  if (pointers.length > 0) {
    subject.expectLateWork();
    // A timer that has not fired may be an outbox, whose work a restart repeats.
    const isTimer = own.length > 0 && own.every(({ kind }) => kind === 'Timeout');
    const isOfOthers = own.length === 0 && open.length > 0;
    const isKept = isTimer && differences((await watched(true)).lateState, lateState).length === 0;
    if (!isOfOthers && !isKept) {
      const reason = `The handler is done, but the state changes later at ${listed(pointers)}. A stop loses that.`;
      const place = { ...placeOf(pointers, about), about };
      return { problem: { diagnosis: 'work-floats', reason, ...place, ...where }, isWarning: false };
    }
  }
  if (work === undefined) return { problem: undefined, isWarning: false };
  const reason = `Work is open when the handler is done (${own.length}). Nothing sees its errors.`;
  return { problem: { diagnosis: 'work-floats', about, reason, ...where }, isWarning: true };
}
