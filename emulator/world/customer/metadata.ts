import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell, Occupancy, User } from '../cell.js';
import { accountNotes, userNotes } from './words.js';

/**
 * A note (metadata) about an account, a user or an occupancy, with one value for each key. Key of its events: account
 * number, or user number.
 */
export interface Note {
  readonly about:
    | { readonly account: Account; readonly occupancy?: Occupancy }
    | { readonly user: User; readonly occupancy?: never };
  readonly key: string;
  value: string;
}

const liveNotes = ownedState<Account | User | Occupancy, Map<string, Note>>(() => new Map());

/** Returns the present notes, oldest first. */
export function notesAbout(cell: Cell, about: Note['about']): ReadonlyMap<string, Readonly<Note>> {
  return liveNotesOf(cell, about);
}

/** Writes a note with a new key, or returns undefined if all keys are in use. */
export function addNote(cell: Cell, about: Note['about'], random: RandomStream) {
  const keys = liveNotesOf(cell, about);
  const free = Object.keys(vocabularyOf(about)).filter((key) => !keys.has(key));
  if (free.length === 0) return undefined;
  const key = random.pick(free);
  return writeNote(cell, about, key, otherValue({ about, key }, random));
}

/** Writes a note. Its key must not be in use. */
export function writeNote(
  cell: Cell,
  about: Note['about'],
  key: string,
  value: string,
): { note: Note; created: Occurrence } {
  const note: Note = { about, key, value };
  liveNotesOf(cell, about).set(key, note);
  return { note, created: publish(about, 'created', { key, value }) };
}

export function otherValue(
  { about, key, value }: Pick<Note, 'about' | 'key'> & Partial<Note>,
  random: RandomStream,
): string {
  const others = vocabularyOf(about)[key]?.filter((other) => other !== value) ?? [];
  return random.pick(others).replace('#', () => String(random.integer(0, 99_999_999)).padStart(8, '0'));
}

export function updateNote(note: Note, value: string) {
  const { about, key, value: old } = note;
  note.value = value;
  return publish(about, 'updated', { changes: { [key]: { old, new: value } } });
}

/** Removes the note. */
export function removeNote(cell: Cell, { about, key, value }: Note): Occurrence {
  liveNotesOf(cell, about).delete(key);
  return publish(about, 'removed', { key, value });
}

function publish(
  about: Note['about'],
  change: 'created' | 'updated' | 'removed',
  content: Record<string, unknown>,
) {
  const [family, key, owner] =
    'user' in about
      ? ['account_user_metadata', about.user.number, { user_id: about.user.id }]
      : about.occupancy === undefined
        ? ['account_metadata', about.account.number, { account_number: about.account.number }]
        : [
            'account_property_effective_period_metadata',
            about.account.number,
            { account_property_effective_period_id: about.occupancy.id },
          ];
  return {
    type: `${family}.${change}`,
    key,
    versions: [{ version: 'v1', payload: { ...owner, ...content } }],
  };
}

function liveNotesOf(cell: Cell, about: Note['about']): Map<string, Note> {
  return liveNotes.of(cell, 'user' in about ? about.user : (about.occupancy ?? about.account));
}

function vocabularyOf(about: Note['about']): Readonly<Record<string, readonly string[]>> {
  return 'account' in about ? accountNotes : userNotes;
}
