import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { documentFormats, languages } from '../vocabulary/accounts.js';

interface Preferences {
  postal: boolean;
  language: keyof typeof languages;
  /** Empty: ordinary print. */
  format: (typeof documentFormats)[number] | '';
}

const preferences = ownedState<Account, Preferences>(({ seed }, { number }) => {
  const random = randomStream(seed, number, 'communication preferences');
  return { postal: random.chance(0.07), language: random.weighted(languages), format: '' };
});

/** Changes the preference for postal letters, or sometimes the language. Each change is [old, new]. */
export function changePreferences(cell: Cell, account: Account, random: RandomStream): Occurrence {
  const wanted = preferences.of(cell, account);
  if (random.chance(0.1)) {
    const before = wanted.language;
    wanted.language = before === 'ENGLISH' ? 'WELSH' : 'ENGLISH';
    return updated(account, { preferred_language_for_comms: [before, wanted.language] });
  }
  const before = wanted.postal;
  wanted.postal = !before;
  return updated(account, { requires_postal_comms: [before, wanted.postal] });
}

/** Sets an accessible document format, or resets it. */
export function changeDocumentFormat(cell: Cell, account: Account, random: RandomStream): Occurrence {
  const wanted = preferences.of(cell, account);
  const before = wanted.format;
  wanted.format = before === '' ? random.pick(documentFormats) : '';
  return updated(account, { document_accessibility: [before, wanted.format] });
}

interface Changes {
  readonly requires_postal_comms?: boolean[];
  readonly preferred_language_for_comms?: string[];
  readonly document_accessibility?: string[];
}

function updated({ number }: Account, changes: Changes): Occurrence {
  return occurrence('account.communications_preferences_updated', number, {
    v1: { account_number: number, changes },
  });
}
