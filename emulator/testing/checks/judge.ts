import { BusbarError, quoted } from 'busbar/base';
import { differences } from '../differences.js';
import { kindAndFrame } from '../kind-and-frame.js';
import type { Exercise } from '../verify/exercise.js';
import { called } from '../verify/own-function.js';
import type { Subject } from '../verify/subject.js';
import type { Exhibit } from './check.js';

/** Returns the first failure of the deliveries; undefined if the consumer handled or skipped all of them. */
export function troubleIn(done: Exercise, isMine: (id: string) => boolean = () => true): string | undefined {
  if (done.failure !== undefined) return toldOf(done.failure);
  const letter = done.outcomes.find(({ outcome, id = '' }) => outcome === 'dead-lettered' && isMine(id));
  if (letter === undefined) return undefined;
  const { type = '?', version = '?', reason = '?', attempts, id = '' } = letter;
  const tries = attempts === 0 ? '' : ` after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`;
  const thrown = done.thrown.has(id) ? `: the handler throws ${kindAndFrame(done.thrown.get(id))}` : '';
  return `${quoted(`${type}-${version}`)} is dead-lettered with ${quoted(reason)}${tries}${thrown}.`;
}

/**
 * Returns the difference from the same events without faults: dead letters, another end or another state.
 * @param when Name of the faults, for the message.
 * @param alike Returns the part of a state to compare. Default: all of it.
 */
export async function disagreement(
  subject: Subject,
  { plan, deliveries }: Exhibit,
  when: string,
  alike?: (state: unknown) => unknown,
): Promise<string | undefined> {
  const calm = await subject.calm({ plan, deliveries });
  const reason = disagreementWith(calm, await subject.exercise(deliveries, { plan }), subject, alike);
  return reason && `${when}, ${reason}`;
}

/** Returns the difference from a result without faults. */
export function disagreementWith(
  calm: Exercise,
  done: Exercise,
  { incomparable }: Subject,
  alike: (state: unknown) => unknown = (state) => state,
): string | undefined {
  // Other checks report failures without faults.
  if (calm.failure !== undefined) return undefined;
  const settled = new Map(calm.outcomes.map(({ id = '', outcome }) => [id, outcome]));
  // The consumer may dead-letter events that a fault has added.
  const trouble = troubleIn(done, (id) => (settled.get(id) ?? 'dead-lettered') !== 'dead-lettered');
  if (trouble !== undefined) return trouble;
  if (incomparable !== undefined) return undefined;
  const places = differences(alike(calm.state), alike(done.state));
  return places.length === 0 ? undefined : `the state differs at ${listed(places)}.`;
}

/**
 * Returns the difference between the projection and `expected`, with or without faults. A part of a sequence is not
 * compared.
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
  return places.length === 0 ? undefined : `projection does not match the ground truth at ${listed(places)}.`;
}

/** Returns a list of pointers, e.g. `"/A-1/status", "/A-2" and elsewhere`. */
export function listed(places: readonly string[]): string {
  const shown = places.slice(0, 3).map((place) => JSON.stringify(place));
  return `${shown.join(', ')}${places.length > shown.length ? ' and elsewhere' : ''}`;
}

function toldOf(error: Error): string {
  return error instanceof BusbarError ? error.message : `the run ends with ${kindAndFrame(error)}.`;
}
