import { type Day, day, formatDay, formatInstant, minute, second } from '../../engine/time.js';
import { localMidnight, openEnd } from '../../world/formats.js';
import type { Rule, Scene } from '../subject.js';

/** The event itself: at most a moment before it is sent. */
export const justNow: Rule = ({ at, random }) => formatInstant(at - random.integer(0, 400));

/** Some time in the last so many days, in office hours or not. */
export function earlier(days: number): Rule {
  return ({ at, random }) => formatInstant(at - Math.floor(random.spread(5 * minute, days * day)));
}

/** Some time in the next so many days. */
export function later(days: number): Rule {
  return ({ at, random }) => formatInstant(at + Math.floor(random.spread(30 * second, days * day)));
}

/** Local midnight, so many days from now. */
export function midnight(scene: Scene, days: number): string {
  return localMidnight(scene.today + days);
}

/** A calendar date, so many days from now. */
export function date(scene: Scene, days: number): string {
  return formatDay(scene.today + days);
}

/** A date that lies between so many and so many days from now, negative ones in the past. */
export function dateWithin(from: number, to: number): Rule {
  return (scene) => date(scene, scene.random.integer(from, to));
}

/** A span of whole days that has begun, with an end that is open for some. `to` is exclusive. */
export interface Term {
  readonly from: Day;
  readonly to: Day | undefined;
}

/** A year or so of something that is in force today: an agreement, a contract, a membership. */
export function term(scene: Scene, name: string): Term {
  return scene.once(`term of ${name} ${scene.index}`, (random) => {
    const from = scene.today - random.integer(0, 300);
    return { from, to: random.chance(0.5) ? undefined : from + 365 };
  });
}

/** As the platform writes the end of a term: a local midnight, or the empty string while it is open. */
export function endOf({ to }: Term): string {
  return to === undefined ? openEnd : localMidnight(to);
}

/** The month or so before today, in whole local days; later ones follow without a gap. */
export function chargePeriod(scene: Scene): { readonly from: Day; readonly to: Day } {
  const first = scene.once('charge period', (random) => {
    const to = scene.today - random.integer(0, 3);
    return { from: to - random.integer(28, 31), to };
  });
  const back = 30 * scene.index;
  return { from: first.from - back, to: first.to - back };
}
