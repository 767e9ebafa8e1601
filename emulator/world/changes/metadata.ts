import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { accountNotes, userNotes } from '../vocabulary/metadata.js';

/**
 * Something noted about an account or a user: there is one live value for each key, and who made a note is the only
 * one to change it. Key of the events: account number, or user number.
 */
export interface Note {
  readonly about: { readonly account: Account } | { readonly user: User };
  readonly key: string;
  value: string;
}

const liveNotes = ownedState<Account | User, Map<string, Note>>(() => new Map());

/** What is noted about it now, oldest first. */
export function notesAbout(cell: Cell, about: Note['about']): ReadonlyMap<string, Readonly<Note>> {
  return liveNotesOf(cell, about);
}

/** Notes something that is not noted yet; undefined when everything is. */
export function addNote(
  cell: Cell,
  about: Note['about'],
  random: RandomStream,
): { note: Note; created: Occurrence } | undefined {
  const keys = liveNotesOf(cell, about);
  const free = Object.keys(vocabularyOf(about)).filter((key) => !keys.has(key));
  if (free.length === 0) return undefined;
  const key = random.pick(free);
  return writeNote(cell, about, key, random.pick(valuesOf(about, key)));
}

/** Notes that value under that key, which must not be noted yet. */
export function writeNote(
  cell: Cell,
  about: Note['about'],
  key: string,
  value: string,
): { note: Note; created: Occurrence } {
  const note: Note = { about, key, value };
  liveNotesOf(cell, about).set(key, note);
  const created =
    'account' in about
      ? occurrence('account_metadata.created', about.account.number, {
          v1: { account_number: about.account.number, key, value },
        })
      : occurrence('account_user_metadata.created', about.user.number, {
          v1: { user_id: about.user.id, key, value },
        });
  return { note, created };
}

/** Gives the note another value. */
export function updateNote(note: Note, random: RandomStream): Occurrence {
  const { about, key, value: old } = note;
  note.value = random.pick(valuesOf(about, key).filter((value) => value !== old));
  const changes = { [key]: { old, new: note.value } };
  return 'account' in about
    ? occurrence('account_metadata.updated', about.account.number, {
        v1: { account_number: about.account.number, changes },
      })
    : occurrence('account_user_metadata.updated', about.user.number, {
        v1: { user_id: about.user.id, changes },
      });
}

export function removeNote(cell: Cell, { about, key, value }: Note): Occurrence {
  liveNotesOf(cell, about).delete(key);
  return 'account' in about
    ? occurrence('account_metadata.removed', about.account.number, {
        v1: { account_number: about.account.number, key, value },
      })
    : occurrence('account_user_metadata.removed', about.user.number, {
        v1: { user_id: about.user.id, key, value },
      });
}

function liveNotesOf(cell: Cell, about: Note['about']): Map<string, Note> {
  return liveNotes.of(cell, 'account' in about ? about.account : about.user);
}

function vocabularyOf(about: Note['about']): Readonly<Record<string, readonly string[]>> {
  return 'account' in about ? accountNotes : userNotes;
}

function valuesOf(about: Note['about'], key: string): readonly string[] {
  return vocabularyOf(about)[key] ?? [];
}
