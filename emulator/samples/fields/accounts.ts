import {
  accountStatuses,
  actorTypes,
  campaigns,
  consentTypes,
  consentValues,
  documentFormats,
  languages,
  metadata,
  type MetadataKey,
  readPermissions,
  reactivationSources,
  signingIdentityTypes,
  statusesBeforeReactivation,
} from '../../world/vocabulary/accounts.js';
import { anyKey, weightedKey } from '../../world/vocabulary/rows.js';
import { needs, type NeedsCode } from '../../world/vocabulary/vulnerability.js';
import { accountNumber, user } from '../facts/household.js';
import { agent } from '../facts/staff.js';
import { date, dateWithin, earlier, midnight } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

const metadataChange = (s: Scene) => {
  const { key, value } = entry(s);
  const values = metadata[key];
  const before = values.find((other) => other !== value) ?? '';
  return { [key]: { old: before, new: value } };
};

/** Accounts, the people behind them, and what they agreed to. */
export const accounts: Area = {
  fields: {
    account_number: accountNumber,
    account_id: (s) => s.integer('account'),
    account_user_emails: (s) => [user(s).email],
    is_imported: (s) => s.random.chance(0.05),
    is_override: (s) => s.random.chance(0.02),
    user_id: (s) => user(s).id,
    account_user_id: (s) => user(s).id,
    user_email: (s) => user(s).email,
    user_number: (s) => user(s).number,
    account_user_number: (s) => user(s).number,
    user_identifiers: (s) => ({ user_number: user(s).number }),
    linked_accounts: (s) => [{ number: accountNumber(s), status: 'ACTIVE' }],
    initiator_type: initiator,
    is_customer_initiated: (s) => initiator(s) === 'ACCOUNT_USER',
    previous_status: (s) => accountMove(s).from,
    new_status: (s) => accountMove(s).to,
    status: (s) => s.random.pick(accountStatuses),
    reactivation_source: (s) => s.random.weighted(reactivationSources),
    old_permission: (s) => permissions(s).before,
    new_permission: (s) => permissions(s).after,
    changed_by_type: (s) => changer(s),
    changed_by_id: (s) => (changer(s) === 'ACCOUNT_USER' ? user(s).id : agent(s)),
    account_property_effective_period_id: (s) => s.integer('occupancy'),
    key: (s) => entry(s).key,
    value: (s) => entry(s).value,
    changes: (s) => ({ status: { old: accountMove(s).from, new: accountMove(s).to } }),
    campaign_name: (s) => campaign(s).name,
    campaign_slug: (s) => campaign(s).slug,
    campaign_expiry_date: (s) => midnight(s, s.random.integer(60, 200)),
    campaign_account_expiry_date: (s) => midnight(s, s.random.integer(10, 59)),
  },
  shapes: {
    CommsPreferencesChanges: {
      requires_postal_comms: (s) => (s.random.chance(0.5) ? [true, false] : [false, true]),
      preferred_language_for_comms: (s) => {
        const language = s.random.weighted(languages);
        return [language === 'WELSH' ? 'ENGLISH' : 'WELSH', language];
      },
      document_accessibility: (s) => ['', s.random.pick(documentFormats)],
    },
    PsrRecord: {
      description: (s) => needs[need(s)].description,
      electricity_industry_code: need,
      gas_industry_code: need,
    },
    SigningIdentity: {
      identity_type: (s) => identity(s).type,
      identity: (s) => identity(s).number,
    },
    Consent: {
      id: (s) => s.integer('consent', s.index),
      consent_type_code: (s) => s.random.weighted(consentTypes),
      value: (s) => s.random.weighted(consentValues),
      signed_at: earlier(1),
    },
  },
  events: {
    'account.smart-meter-read-permission-changed': { effective_from: dateWithin(-1, 0) },
    'account.reactivated': { previous_status: (s) => s.random.weighted(statusesBeforeReactivation) },
    'account_metadata.*': { changes: metadataChange },
    'account_user_metadata.*': { changes: metadataChange },
    'account_property_effective_period_metadata.*': { changes: metadataChange },
    'account_user.updated': {
      changes: (s) => {
        const { email } = user(s);
        const before = email.replace(/@.*/, '@example.org');
        return {
          email: { old: before === email ? email.replace(/@.*/, '@example.com') : before, new: email },
        };
      },
    },
    'campaign_account.updated': {
      changes: (s) => ({ campaign_account_expiry_date: { old: date(s, 30), new: date(s, 90) } }),
    },
  },
  counts: {
    created_records: (s) => s.random.integer(1, 2),
    updated_records: (s) => (s.random.chance(0.3) ? 1 : 0),
    deleted_records: (s) => (s.random.chance(0.2) ? 1 : 0),
  },
};

function initiator(subject: Subject): keyof typeof actorTypes {
  return subject.once('initiator', (random) => random.weighted(actorTypes));
}

function changer(subject: Subject): 'ACCOUNT_USER' | 'SUPPORT_USER' {
  return subject.once('changer', (random) => random.weighted({ ACCOUNT_USER: 0.8, SUPPORT_USER: 0.2 }));
}

function accountMove(subject: Subject): { from: string; to: string } {
  return subject.once('account status', (random) =>
    random.pick([
      { from: 'PENDING', to: 'ACTIVE' },
      { from: 'ACTIVE', to: 'DORMANT' },
      { from: 'DORMANT', to: 'ACTIVE' },
      { from: 'PENDING', to: 'WITHDRAWN' },
    ]),
  );
}

function permissions(subject: Subject): { before: string; after: string } {
  return subject.once('read permission', (random) => {
    const before = random.pick(readPermissions);
    return { before, after: random.pick(readPermissions.filter((other) => other !== before)) };
  });
}

function entry(subject: Subject): { key: MetadataKey; value: string } {
  return subject.once('metadata', (random) => {
    const key = anyKey(random, metadata);
    return { key, value: random.pick<string>(metadata[key]) };
  });
}

/** Every record is of another need, whichever of the lists it is in. */
function need(scene: Scene): NeedsCode {
  const first = scene.once('need', (random) => weightedKey(random, needs));
  const codes = Object.keys(needs) as NeedsCode[];
  const list = Math.max(0, ['created_records', 'updated_records', 'deleted_records'].indexOf(scene.list));
  return codes[(codes.indexOf(first) + 3 * scene.index + list) % codes.length] ?? first;
}

function identity(subject: Subject): { type: string; number: string } {
  const type = subject.once('identity', (random) => random.weighted(signingIdentityTypes));
  return { type, number: type === 'ACCOUNT' ? accountNumber(subject) : user(subject).number };
}

function campaign(subject: Subject): (typeof campaigns)[number] {
  return subject.once('campaign', (random) => random.pick(campaigns));
}
