import type { Catalogue, CatalogueEvent } from '../catalogue/index.js';
import { BusbarError, quoted } from './base/errors.js';
import type { AnyEvent } from './event.js';
import { didYouMean } from './base/nearest.js';

/** Converts a payload to another version. Must be synchronous and pure; an error makes the event invalid. */
export type Convert = (payload: unknown, event: AnyEvent) => unknown;

/** A conversion from one version of an event type to another. */
export interface Upcast {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly convert: Convert;
}

/** Upcasts by event type. At most one step leads from each version, so each version has at most one path. */
export class Upcasts {
  readonly #steps = new Map<string, Map<string, Upcast>>();

  get all(): readonly Upcast[] {
    return [...this.#steps.values()].flatMap((steps) => [...steps.values()]);
  }

  /** @throws BusbarError `invalid-upcast` for a second step from one version, and for a step that forms a cycle. */
  add(step: Upcast): void {
    const { type, from, to } = step;
    const existing = this.#steps.get(type)?.get(from);
    const name = `upcast(${quoted(type)}, ${quoted(from)}, ${quoted(to)})`;
    if (existing !== undefined) {
      throw new BusbarError(
        'invalid-upcast',
        `${name}: an upcast from ${quoted(from)} to ${quoted(existing.to)} already exists. Define one per version.`,
      );
    }
    const path = [to, ...this.pathFrom(type, to).map((each) => each.to)];
    if (path.includes(from)) {
      const cycle = [from, ...path.slice(0, path.indexOf(from) + 1)].map(quoted).join(' -> ');
      throw new BusbarError('invalid-upcast', `${name} forms a cycle: ${cycle}. Remove one of these steps.`);
    }
    const steps = this.#steps.get(type) ?? new Map<string, Upcast>();
    this.#steps.set(type, steps.set(from, step));
  }

  /** Returns the chain of steps that begins at a version. */
  pathFrom(type: string, version: string): readonly Upcast[] {
    const steps = this.#steps.get(type);
    const path: Upcast[] = [];
    for (let step = steps?.get(version); step !== undefined; step = steps?.get(step.to)) path.push(step);
    return path;
  }
}

/**
 * Whether to handle only the highest version of an event that is both handled and published. `true` treats the whole
 * catalogue as published; an object lists the published event names, or has the platform's catalogue.
 */
export type PreferLatest = boolean | { readonly published: readonly string[] | Catalogue };

/**
 * Returns the superseded events: lower than the highest version of their type that is both handled and published.
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
    const handled = eventsOfType(catalogue, type).filter(isHandled);
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
  if ('events' in published) return ({ type, version }) => published.find(type, version) !== undefined;
  for (const name of published) {
    if (catalogue.named(name) !== undefined) continue;
    throw new BusbarError(
      'unknown-event',
      `"preferLatest": the catalogue has no event ${quoted(name)}.${didYouMean(catalogue.nearest(name))}`,
    );
  }
  const names = new Set(published);
  return (event) => names.has(event.name);
}

/** Returns every version of the type, lowest first. */
export function eventsOfType(catalogue: Catalogue, type: string): CatalogueEvent[] {
  return catalogue
    .versionsOf(type)
    .map((version) => catalogue.find(type, version))
    .filter((event) => event !== undefined);
}
