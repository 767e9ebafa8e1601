import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { kindOf as nameOf } from '../../../src/base/thrown.js';
import { userFrame } from '../../../src/user-frame.js';
import { differences } from '../differences.js';
import type { Exercise, ExerciseOptions } from '../verify/exercise.js';
import { called } from '../verify/own-function.js';
import type { Subject } from '../verify/subject.js';
import type { Exhibit } from './check.js';

/** The first thing that went wrong with what was delivered; undefined where all of it was handled, or skipped. */
export function troubleIn(done: Exercise, isMine: (id: string) => boolean = () => true): string | undefined {
  if (done.failure !== undefined) return toldOf(done.failure);
  const letter = done.outcomes.find(({ outcome, id = '' }) => outcome === 'dead-lettered' && isMine(id));
  if (letter === undefined) return undefined;
  const { type = '?', version = '?', reason = '?', attempts, id = '' } = letter;
  const tries = attempts === 0 ? '' : ` after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`;
  const thrown = done.thrown.has(id) ? `: the handler throws ${kindOf(done.thrown.get(id))}` : '';
  return `${quoted(`${type}-${version}`)} is dead-lettered with ${quoted(reason)}${tries}${thrown}.`;
}

/**
 * What the deliveries lead to that the same events without faults do not: dead letters, another end, another state.
 * @param alike What two states have to agree in. Default: everything.
 */
export async function disagreement(
  subject: Subject,
  { plan, deliveries }: Exhibit,
  options: Omit<ExerciseOptions, 'plan'> = {},
  alike: (state: unknown) => unknown = (state) => state,
): Promise<string | undefined> {
  const calm = await subject.calm({ plan, deliveries });
  return disagreementWith(calm, await subject.exercise(deliveries, { plan, ...options }), subject, alike);
}

/** Likewise, where what the events come to without faults is known. */
export function disagreementWith(
  calm: Exercise,
  done: Exercise,
  { incomparable }: Subject,
  alike: (state: unknown) => unknown = (state) => state,
): string | undefined {
  // What goes wrong without any fault is for other checks to tell.
  if (calm.failure !== undefined) return undefined;
  const settled = new Map(calm.outcomes.map(({ id = '', outcome }) => [id, outcome]));
  // What a fault has added may be set aside, as the consumer is configured to.
  const trouble = troubleIn(done, (id) => (settled.get(id) ?? 'dead-lettered') !== 'dead-lettered');
  if (trouble !== undefined) return trouble;
  if (incomparable !== undefined) return undefined;
  const places = differences(alike(calm.state), alike(done.state));
  return places.length === 0 ? undefined : `the state is another at ${listed(places)}.`;
}

/**
 * Where the projection is not what `expected` makes of the truth, with or without faults. A part of a course is not held
 * against it.
 */
export async function untruth(
  subject: Subject,
  exhibit: Exhibit,
  { projected }: Exercise,
): Promise<string | undefined> {
  const { projection, expected } = subject.options;
  if (projection === undefined || expected === undefined) return undefined;
  if (!(await subject.isWhole(exhibit))) return undefined;
  const truth = await called('expected', async () =>
    structuredClone(await expected(subject.worldAfter(exhibit))),
  );
  const places = differences(projected, truth);
  return places.length === 0 ? undefined : `projection is not the truth at ${listed(places)}.`;
}

/** What may be said of an error: its kind and its place, since its message may quote a payload. */
export function kindOf(error: unknown): string {
  const frame = userFrame(error);
  return frame === undefined ? nameOf(error) : `${nameOf(error)} at ${frame}`;
}

/** `"/A-1/status", "/A-2" and elsewhere` */
export function listed(places: readonly string[]): string {
  const shown = places.slice(0, 3).map((place) => JSON.stringify(place));
  return `${shown.join(', ')}${places.length > shown.length ? ' and elsewhere' : ''}`;
}

function toldOf(error: Error): string {
  return error instanceof BusbarError ? error.message : `the run ends with ${kindOf(error)}.`;
}
