import { type RandomStream, randomStream } from '../../engine/random.js';
import { formatDay, formatInstant } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import { type Account, type Cell, openedOn } from '../cell.js';
import type { Customer } from './customer.js';
import { occurrence } from '../occurrence.js';
import { staffId } from '../staff.js';
import { documentFormats, languages, readPermissions } from './words.js';

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
export function changePreferences(cell: Cell, account: Account, random: RandomStream) {
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
export function changeDocumentFormat(cell: Cell, account: Account, random: RandomStream) {
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

function updated({ number }: Account, changes: Changes) {
  return occurrence('account.communications_preferences_updated', number, {
    v1: { account_number: number, changes },
  });
}

interface SmartMeterData {
  permission: keyof typeof readPermissions;
  /** Id of the user's consent, given before the run. */
  readonly consentId: number;
}

const smartMeterData = ownedState<Account, SmartMeterData>((cell, account) => ({
  permission: randomStream(cell.seed, account.number, 'smart meter data').weighted(readPermissions),
  consentId: cell.ids.integer('consent', openedOn(cell, account)),
}));

/** Changes the permission to read smart meters. Key: account number. */
export function changeReadPermission(cell: Cell, { account, user }: Customer, random: RandomStream) {
  const data = smartMeterData.of(cell, account);
  const before = data.permission;
  data.permission = random.weighted({ ...readPermissions, [before]: 0 });
  const byCustomer = random.chance(0.85);
  return occurrence('account.smart-meter-read-permission-changed', account.number, {
    v1: {
      account_number: account.number,
      old_permission: before,
      new_permission: data.permission,
      effective_from: formatDay(cell.today),
      changed_by_id: String(byCustomer ? user.id : staffId(random)),
      changed_by_type: byCustomer ? 'ACCOUNT_USER' : 'SUPPORT_USER',
    },
  });
}

/** Publishes the user's updated consent to the permission. Key, as for every consent: user number. */
export function updateConsent(cell: Cell, { account, user }: Customer) {
  const { permission, consentId } = smartMeterData.of(cell, account);
  return occurrence('consents.consent.updated', user.number, {
    v1: {
      signing_identity: { identity_type: 'ACCOUNT_USER', identity: user.number },
      consent: {
        id: consentId,
        consent_type_code: 'SMART_METER_DATA',
        value: permission === 'NO_CONSENT' ? 'REJECTED' : 'ACCEPTED',
        signed_at: formatInstant(cell.now),
      },
    },
  });
}
