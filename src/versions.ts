import type { Catalogue, CatalogueEvent } from '../catalogue/index.js';
import { BusbarError } from './base/errors.js';
import type { AnyEvent } from './event.js';
import { quoted } from './base/quoted.js';

/** Makes a payload of a later version. Synchronous and pure; what it throws makes the event invalid. */
export type Convert = (payload: unknown, event: AnyEvent) => unknown;

/** One step from version to version. */
export interface Upcast {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly convert: Convert;
}

/** At most one step leads from each version, so there is one way or none. */
export class Upcasts {
  readonly #steps = new Map<string, Map<string, Upcast>>();

  get all(): readonly Upcast[] {
    return [...this.#steps.values()].flatMap((steps) => [...steps.values()]);
  }

  /** @throws BusbarError `invalid-upcast` for a second step from one version, and for a step that closes a circle. */
  add(step: Upcast): void {
    const { type, from, to } = step;
    const known = this.#steps.get(type)?.get(from);
    const name = `upcast(${quoted(type)}, ${quoted(from)}, ${quoted(to)})`;
    if (known !== undefined) {
      throw new BusbarError(
        'invalid-upcast',
        `${name}: there is an upcast from ${quoted(from)} to ${quoted(known.to)} already. Give one from each version.`,
      );
    }
    const way = [to, ...this.wayFrom(type, to).map((each) => each.to)];
    if (way.includes(from)) {
      const circle = [from, ...way.slice(0, way.indexOf(from) + 1)].map(quoted).join(' -> ');
      throw new BusbarError(
        'invalid-upcast',
        `${name} closes a circle: ${circle}. Remove one of these steps.`,
      );
    }
    const steps = this.#steps.get(type) ?? new Map<string, Upcast>();
    this.#steps.set(type, steps.set(from, step));
  }

  /** All steps that follow one another from a version on. */
  wayFrom(type: string, version: string): readonly Upcast[] {
    const steps = this.#steps.get(type);
    const way: Upcast[] = [];
    for (let step = steps?.get(version); step !== undefined; step = steps?.get(step.to)) way.push(step);
    return way;
  }
}

/**
 * Whether only the highest version of an event is handled, of those that are handled and published: `true` takes all of
 * the catalogue for published; else name those that the platform sends, or give its catalogue.
 */
export type PreferLatest = boolean | { readonly published: readonly string[] | Catalogue };

/**
 * Answers which events are superseded: lower than the highest version of their type that is both handled and published.
 * Versions are labels, whose order is the catalogue's.
 * @throws BusbarError `unknown-event` for a published name that the catalogue does not have.
 */
export function supersededEvents(
  catalogue: Catalogue,
  preferLatest: PreferLatest,
  isHandled: (event: CatalogueEvent) => boolean,
): ReadonlySet<CatalogueEvent> {
  const superseded = new Set<CatalogueEvent>();
  if (preferLatest === false) return superseded;
  const published = publishedEvents(catalogue, preferLatest);
  for (const type of new Set(catalogue.events.map((event) => event.type))) {
    const handled = catalogue
      .versionsOf(type)
      .map((version) => catalogue.find(type, version))
      .filter((event) => event !== undefined)
      .filter(isHandled);
    const preferred = handled.findLastIndex((event) => published(event));
    for (const event of handled.slice(0, Math.max(preferred, 0))) superseded.add(event);
  }
  return superseded;
}

function publishedEvents(
  catalogue: Catalogue,
  preferLatest: Exclude<PreferLatest, false>,
): (event: CatalogueEvent) => boolean {
  if (preferLatest === true) return () => true;
  const { published } = preferLatest;
  if (!isList(published)) return ({ type, version }) => published.find(type, version) !== undefined;
  for (const name of published) {
    if (catalogue.named(name) !== undefined) continue;
    const nearest = catalogue.nearest(name).map(quoted).join(' or ');
    throw new BusbarError(
      'unknown-event',
      `"preferLatest": the catalogue has no event ${quoted(name)}.${nearest === '' ? '' : ` Did you mean ${nearest}?`}`,
    );
  }
  const names = new Set(published);
  return (event) => names.has(event.name);
}

function isList(published: readonly string[] | Catalogue): published is readonly string[] {
  return Array.isArray(published);
}
