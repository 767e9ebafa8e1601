import { BusbarError, quoted } from '../src/base/errors.js';
import { didYouMean } from '../src/base/nearest.js';
import type { CatalogueEvent } from './event-index.js';
import type { Catalogue } from './catalogue.js';

/**
 * Returns an event version.
 * @throws BusbarError `unknown-event` with the nearest types, `unknown-version` with the versions of the event type
 */
export function requireEvent(
  catalogue: Catalogue,
  { type, version }: { readonly type: string; readonly version: string },
): CatalogueEvent {
  const event = catalogue.find(type, version);
  if (event !== undefined) return event;
  if (catalogue.hasType(type)) {
    const versions = catalogue.versionsOf(type).map(quoted).join(', ');
    throw new BusbarError(
      'unknown-version',
      `Event ${quoted(type)} has no version ${quoted(version)}. It has ${versions}.`,
    );
  }
  const types = catalogue.nearest(type).map((name) => catalogue.named(name)?.type ?? name);
  const hint = didYouMean(types) || ' Pass a catalogue with your own events as "catalogue".';
  throw new BusbarError('unknown-event', `The catalogue has no event ${quoted(type)}.${hint}`);
}
