import type { RunObserver } from 'busbar';
import { differences, listed } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import { FloatingWork, type OpenWork } from '../verify/floating-work.js';
import { frameAt } from '../verify/shown-error.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found, type Verdict } from './check.js';
import { placeOf } from '../verify/judge.js';

/**
 * Requires work to end before its handler does: a stop of the process would lose it. Work that the state does not show,
 * or that a restart repeats, is only pointed out: metrics and an outbox may work later. An immediate, or a short timer, ends
 * before the state can be read, so a stop shows whether its work counts.
 */
export const floatingCheck: Check = {
  name: 'floating',
  title: 'no work continues after its event is settled',
  async *run(subject) {
    for (const { name } of subject.handled) {
      const counterexample = await endingWith(subject, name);
      const { problem, isWarning = false } = await judged(subject, counterexample);
      yield { ...found(name, problem, counterexample), isWarning };
    }
  },
  wrongWith: async (subject, counterexample) => {
    const { problem, isWarning } = await judged(subject, counterexample);
    return isWarning === true ? undefined : problem;
  },
};

/** Returns a story up to the event: work after the last event is the easiest to see. */
async function endingWith(subject: Subject, name: string): Promise<PlayedEvents> {
  for (const { plan, deliveries } of await subject.stories()) {
    const end = deliveries.findIndex(({ sent }) => sent.name === name);
    if (end !== -1) return { plan, deliveries: deliveries.slice(0, end + 1) };
  }
  return { plan: { seed: subject.seed }, deliveries: [] };
}

/** Adds to each text of an event the one character that PostgreSQL refuses. */
function unstorable(id: string): RunObserver {
  const spoiled = (value: unknown): unknown => {
    if (typeof value === 'string') return `${value}\0`;
    if (typeof value !== 'object' || value === null) return value;
    for (const [name, each] of Object.entries(value)) Reflect.set(value, name, spoiled(each));
    return value;
  };
  return {
    around: (event, _context, run) => {
      if (event.id === id) spoiled(event.payload);
      return run();
    },
  };
}

function isTimed(kind: string): boolean {
  return kind === 'Timeout' || kind === 'Immediate';
}

async function judged(subject: Subject, counterexample: PlayedEvents): Promise<Omit<Verdict, 'subject'>> {
  const { plan, deliveries } = counterexample;
  const { id = '', name: about = '' } = deliveries.at(-1)?.sent ?? {};
  const areComparable = subject.incomparable === undefined;
  const floats = (reason: string, work?: OpenWork): Problem => ({
    diagnosis: 'work-floats',
    about,
    reason,
    ...(work && { error: { kind: work.kind, frame: frameAt(work.at) } }),
  });
  const exerciseWith = (observer: RunObserver, some = deliveries) =>
    subject.exercise({ plan, deliveries: some }, { observer, linger: true });
  const watched = async (options?: ConstructorParameters<typeof FloatingWork>[1]) => {
    const floating = new FloatingWork(id, options);
    const { state, lateState } = await subject.exercise(counterexample, { floating, linger: true });
    return { state, lateState, pointers: areComparable ? differences(state, lateState) : [], floating };
  };
  const first = await watched();
  const isUnsure = first.pointers.length === 0 && first.floating.wasConcurrent;
  const { lateState, pointers, floating } = isUnsure ? await watched({ leavesFirst: 'oldest' }) : first;
  const { open } = floating;
  const own = open.filter(({ isOwn }) => isOwn);
  const [work] = own;
  const isLostByStop = async () =>
    areComparable && differences((await watched({ crashes: true })).lateState, lateState).length > 0;
  if (pointers.length > 0) {
    subject.expectLateWork();
    // A timer that has not fired may be an outbox, whose work a restart repeats.
    const isTimer =
      own.length > 0
        ? own.every(({ kind }) => kind === 'Timeout')
        : subject.parts.restarts && !floating.hasOpen;
    const isOfOthers = own.length === 0 && open.length > 0;
    if (!isOfOthers && (!isTimer || (await isLostByStop()))) {
      const reason = `The handler is done, but the state changes later at ${listed(pointers)}. A stop loses that.`;
      const { fields = [] } = placeOf(pointers, about);
      return { problem: { ...floats(reason, work), fields } };
    }
  }
  // On a busy machine, a timer fires before the state is read.
  const timer =
    subject.parts.restarts && work !== undefined ? open.find(({ kind }) => isTimed(kind)) : undefined;
  if (pointers.length === 0 && timer !== undefined && (await isLostByStop())) {
    const reason = `The handler is done, but its work continues in ${timer.kind === 'Timeout' ? 'a timer' : 'an immediate'}. A stop loses that.`;
    return { problem: floats(reason, work) };
  }
  const pending = floating.openAtEnd.find(({ isOwn }) => isOwn);
  if (areComparable && pending !== undefined && (await isLostUnseen())) {
    const reason = 'The database refuses the strings of the event, but the handler reports success.';
    return { problem: floats(reason, pending) };
  }
  if (work === undefined) return {};
  const reason = `Work is open when the handler is done (${own.length}). Nothing sees its errors.`;
  return { problem: floats(reason, work), isWarning: true };

  /** Whether the effect of the event is missing, and nothing says so, after an error of a database. */
  async function isLostUnseen(): Promise<boolean> {
    const damaged = await exerciseWith(unstorable(id));
    const isHandled = damaged.outcomes.some((each) => each.id === id && each.outcome === 'handled');
    if (!isHandled || differences(damaged.lateState, lateState).length === 0) return false;
    const without = await exerciseWith({}, deliveries.slice(0, -1));
    return differences(damaged.lateState, without.lateState).length === 0;
  }
}
