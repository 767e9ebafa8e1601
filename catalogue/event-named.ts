import { BusbarError, quoted } from '../src/base/errors.js';
import { didYouMean } from '../src/base/nearest.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueEvent } from './event-index.js';

/** Returns the event of a catalogue name, or the newest version of a type. @throws BusbarError `unknown-event` */
export function eventNamed(catalogue: Catalogue, name: string): CatalogueEvent {
  const event = catalogue.named(name) ?? catalogue.find(name, catalogue.versionsOf(name).at(-1) ?? '');
  if (event !== undefined) return event;
  const shape = catalogue.shapes.find((each) => each === name || each.startsWith(`${name}-v`));
  const hint =
    shape === undefined
      ? didYouMean(catalogue.nearest(name)) || ' "busbar catalogue list" prints all names.'
      : ` ${quoted(shape)} is a shape, because its schema lacks "x-event-type" and "x-event-version".`;
  throw new BusbarError('unknown-event', `There is no event ${quoted(name)}.${hint}`);
}
