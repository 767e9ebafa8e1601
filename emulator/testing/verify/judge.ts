import { BusbarError, quoted } from 'busbar/base';
import { differences, isName, listed } from '../differences.js';
import type { DiagnosisName, Problem } from './causes.js';
import { type Delivery, lastOf, withoutFaults } from './delivery.js';
import type { Exercise } from './exercise.js';
import { called } from './own-function.js';
import { shownError } from './shown-error.js';
import type { PlayedEvents } from './event-sequence.js';
import type { Subject } from './subject.js';

/** Returns the first failure of the deliveries; undefined if the consumer handled or skipped all of them. */
export function firstFailure(
  done: Exercise,
  isMine: (id: string) => boolean = () => true,
): Problem | undefined {
  if (done.failure !== undefined) return problemOfRun(done, done.failure);
  const failed = done.outcomes.find(({ outcome, id = '' }) => outcome === 'dead-lettered' && isMine(id));
  if (failed === undefined) return undefined;
  const { type = '?', version = '?', reason = '?', attempts, id = '' } = failed;
  const about = `${type}-${version}`;
  const tries = attempts === 0 ? '' : ` after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`;
  return {
    diagnosis: 'handler-fails',
    about,
    reason: `${quoted(about)} is dead-lettered with ${quoted(reason)}${tries}.`,
    ...(done.thrown.has(id) && { error: shownError(done.thrown.get(id)) }),
  };
}

function problemOfRun({ hanging, thrown }: Exercise, failure: Error): Problem {
  const [about] = hanging;
  if (about !== undefined) return { diagnosis: 'handler-hangs', about, reason: failure.message };
  const reason = failure instanceof BusbarError ? failure.message : 'The run of the consumer ends.';
  const [error = failure] = [...thrown.values()].slice(-1);
  return { diagnosis: 'run-ends', about: 'consumer', reason, error: shownError(error) };
}

/** A fault, and what a difference from the same events without it means. */
export interface Fault {
  /** The fault as a clause, e.g. `When events are delivered twice`. */
  readonly when: string;
  readonly diagnosis: DiagnosisName;
  /** Diagnosis if a handler fails. Default: the same. */
  readonly failing?: DiagnosisName;
  /** Returns the part of a state to compare. Default: all of it. */
  readonly alike?: ((state: unknown) => unknown) | undefined;
  /** Whether events come later than without the fault, when the REST API shows a later world. Default false. */
  readonly isLater?: boolean;
}

/**
 * Returns the difference from the same events without faults: dead letters, another end or another state.
 * @param done Result of the deliveries. Default: they are delivered.
 */
export async function differenceFromBaseline(
  subject: Subject,
  counterexample: PlayedEvents,
  { when, diagnosis, failing = diagnosis, alike = (state) => state, isLater = false }: Fault,
  done?: Exercise,
): Promise<Problem | undefined> {
  const baseline = await subject.baseline(counterexample);
  const faulty = done ?? (await subject.exercise(counterexample));
  // Other checks report failures without faults.
  if (baseline.failure !== undefined) return undefined;
  const settled = new Map(baseline.outcomes.map(({ id = '', outcome }) => [id, outcome]));
  // The consumer may dead-letter events that a fault has added.
  const failure = firstFailure(faulty, (id) => (settled.get(id) ?? 'dead-lettered') !== 'dead-lettered');
  if (failure !== undefined) {
    const isFailing = failure.diagnosis === 'handler-fails';
    const reason = `${when}, ${failure.reason}`;
    return { ...failure, reason, ...(isFailing && { diagnosis: failing }) };
  }
  if (subject.incomparable !== undefined) return undefined;
  const pointers = differences(alike(baseline.state), alike(faulty.state));
  if (pointers.length === 0) return undefined;
  if (isLater && faulty.requests > 0 && (await isSameInOneWorld(subject, counterexample))) return undefined;
  const reason = `${when}, the state differs at ${listed(pointers)}.`;
  return { diagnosis, reason, ...placeOf(pointers, culpritOf(subject, counterexample)) };
}

/** Whether the fault changes nothing if the REST API shows the same world to early and late requests. */
async function isSameInOneWorld(subject: Subject, { plan, deliveries }: PlayedEvents): Promise<boolean> {
  const worldAt = lastOf(deliveries);
  const stateAfter = async (each: readonly Delivery[]) =>
    (await subject.exercise({ plan, deliveries: each }, { worldAt })).state;
  const baseline = await stateAfter(withoutFaults(deliveries));
  return differences(baseline, await stateAfter(deliveries)).length === 0;
}

/** Returns the handled event of the first fault, else of the last delivery. */
function culpritOf(subject: Subject, { deliveries }: PlayedEvents): string {
  const handled = subject.handledOf(deliveries);
  const hit = handled.find(({ faults, origin }) => faults.length > 0 && origin !== undefined);
  return (hit ?? handled.at(-1))?.sent.name ?? 'state';
}

/** Returns the table that differs, or else the event, and the names of the fields. */
export function placeOf(pointers: readonly string[], event: string): Pick<Problem, 'about' | 'fields'> {
  const paths = pointers.map((pointer) => pointer.split('/').slice(1));
  const tables = new Set(paths.map(([first = '']) => first));
  const [table = ''] = tables;
  const isTable = tables.size === 1 && isName(table) && paths.some(({ length }) => length > 1);
  const fields = paths.map((path) => path.slice(isTable ? 1 : 0).findLast(isName) ?? '');
  return { about: isTable ? table : event, fields: [...new Set(fields)].sort() };
}

/**
 * Returns the difference between the projection and `expected`, with or without faults. A part of a sequence is not
 * compared.
 */
export async function groundTruthMismatch(
  subject: Subject,
  counterexample: PlayedEvents,
  { projected }: Exercise,
): Promise<Problem | undefined> {
  const { projection, expected } = subject.options;
  if (projection === undefined || expected === undefined) return undefined;
  if (!(await subject.isWhole(counterexample))) return undefined;
  const truth = await called('expected', async () =>
    structuredClone(await expected(subject.worldAfter(counterexample))),
  );
  return differenceFromTruth(projected, truth);
}

export function differenceFromTruth(projected: unknown, truth: unknown): Problem | undefined {
  const pointers = differences(projected, truth);
  if (pointers.length === 0) return undefined;
  const reason = `The projection does not match the ground truth at ${listed(pointers)}.`;
  return { diagnosis: 'not-the-truth', reason, ...placeOf(pointers, 'projection') };
}
