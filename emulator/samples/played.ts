import { london } from '../engine/calendar.js';
import { ordering } from '../engine/identity.js';
import { type TimedOccurrence, simulate } from '../engine/simulation.js';
import { day, type Instant } from '../engine/time.js';
import { findScenario } from '../scenarios/find.js';
import { type Cell, openCell } from '../world/cell.js';
import type { Identifiers } from '../world/identifiers.js';
import sources from './sources.json' with { type: 'json' };

interface SampleCell {
  readonly seed: number;
  readonly identifiers: Identifiers;
  /** The cell's index in the world of the seed. */
  readonly index: number;
}

/** An event that a scenario sent. */
export interface PlayedEvent {
  readonly key: string;
  readonly payload: unknown;
}

interface Wanted {
  readonly type: string;
  readonly version: string;
  /** Time of the first event of the type, which may occur up to a few days earlier. */
  readonly at: Instant;
}

/** An instance that sends the event. */
export interface Variant {
  /** Number of the instance in its cell. Each number has its own random stream. */
  readonly ordinal: number;
  /** Distance of the cell; 0 is the sample's own. A payload of another cell gets the sample's account. */
  readonly neighbour: number;
}

/**
 * Plays the scenario that `sources.json` names for the type, and yields its events of the type. The name is followed by
 * the outcomes with which the scenario always sends the event; the scenario draws the others. Yields nothing for an event
 * of the user's own.
 */
export function* playedEvents(
  sampleCell: SampleCell,
  { type, version, at }: Wanted,
  { ordinal, neighbour }: Variant = { ordinal: 1, neighbour: 0 },
): Generator<PlayedEvent, void, void> {
  if (!Object.hasOwn(sources, type)) return;
  const source = sources[type as keyof typeof sources];
  const index = 1 + ((sampleCell.index - 1 + neighbour * stride) % (sampleCell.identifiers.width - 1));
  let begins = at;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { cell, occurred } = play(source, { ...sampleCell, index }, begins, ordinal);
    const events = eventsOf(type, occurred);
    let { value: event } = events.next();
    if (event === undefined) return;
    if (event.at > at) {
      begins -= Math.ceil((event.at - at) / day) * day;
      continue;
    }
    for (; event !== undefined; event = events.next().value) {
      const { key, versions } = event.occurrence;
      const { payload } = versions.find((each) => each.version === version) ?? versions.at(-1) ?? {};
      yield aboutAccountOf(sampleCell, cell, { key, payload });
    }
    return;
  }
}

/** Returns the name of the scenario that always sends the type; undefined for an event of the user's own. */
export function sourceOf(type: string): string | undefined {
  return Object.hasOwn(sources, type) ? sources[type as keyof typeof sources].split(' ')[0] : undefined;
}

/** Another day of the week can delay the event once more. */
const maxAttempts = 10;
/** Neighbours are far apart: samples with the next numbers are about the next cells. */
const stride = 500_009;

function play(
  source: string,
  { seed, identifiers, index }: SampleCell,
  begins: Instant,
  ordinal: number,
): { readonly cell: Cell; readonly occurred: Iterable<TimedOccurrence> } {
  const [name = '', ...outcomes] = source.split(' ');
  const scenario = findScenario(name);
  const { setting = 'household', starts = 'waking' } = scenario;
  // A home with both fuels can have everything that a household can.
  const wanted = setting === 'household' ? 'dual-fuel' : setting;
  const cell = openCell({ seed, identifiers, today: london.dayAt(begins) }, index, wanted);
  const branches = Object.fromEntries(outcomes.map((each) => each.split('=')) as [string, string][]);
  const at = london.next(begins, starts);
  const occurred = simulate({
    seed,
    ordering: ordering(seed),
    starts: [{ at, cell: index, scenario, ordinal, last: true, branches }],
    openCell: () => cell,
  });
  return { cell, occurred };
}

function* eventsOf(
  type: string,
  occurred: Iterable<TimedOccurrence>,
): Generator<TimedOccurrence, undefined, void> {
  for (const each of occurred) if (each.occurrence.type === type) yield each;
}

/** Replaces the event's account with the first account of the sample's cell. */
function aboutAccountOf(
  { seed, identifiers, index }: SampleCell,
  cell: Cell,
  event: PlayedEvent,
): PlayedEvent {
  const text = JSON.stringify(event);
  const { number, id } = openCell(
    { seed, identifiers, today: identifiers.today },
    index,
    'dual-fuel',
  ).account;
  const names = (account: { readonly number: string; readonly id: number }) =>
    new RegExp(`\\b(${account.number}|${account.id})\\b`).test(text);
  const other = names({ number, id }) ? undefined : cell.accounts.find(names);
  if (other === undefined) return JSON.parse(text) as PlayedEvent;
  const renamed = text
    .replaceAll(other.number, number)
    .replaceAll(new RegExp(`\\b${other.id}\\b`, 'g'), String(id));
  return JSON.parse(renamed) as PlayedEvent;
}
