import { localMidnight, openEnd } from '../../world/formats.js';
import {
  contractGroupTypes,
  contractJourneys,
  expiryNotices,
  type SubjectType,
  subjectTypes,
  traits,
  type TraitType,
} from '../../world/vocabulary/contracts.js';
import { anyKey, weightedKey } from '../../world/vocabulary/rows.js';
import { accountNumber, electricity } from '../facts/household.js';
import { endOf, justNow, term } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Contracts, the journeys that make and end them, and the groups that they are in. */
export const contracts: Area = {
  fields: {
    contract_identifier: (s) => s.uuid(`contract ${s.index}`),
    new_contract_identifier: (s) => s.uuid('contract novated to'),
    account_contract_identifier: (s) => s.uuid('contract 0'),
    business_contract_identifier: (s) => s.uuid('business contract'),
    sales_record_identifier: (s) => s.uuid('sales record'),
    managing_party_identifier: (s) => s.uuid('managing party'),
    contract_group_identifier: (s) => s.uuid('contract group'),
    group_type: groupType,
    version_reference: (s) => s.random.integer(1, 4),
    days_before_expiry: (s) => s.random.pick(expiryNotices),
    for_subjects: (s) => [accountNumber(s)],
    valid_from: validFrom,
    valid_to: validTo,
    effective_from: (s) => localMidnight(term(s, 'effect').from),
    effective_to: (s) => endOf(term(s, 'effect')),
    requested_at: justNow,
  },
  shapes: {
    ContractJourney: { number: (s) => s.prefixed('CJ'), type: journeyType },
    SubjectContractJourney: {
      number: (s) => s.prefixed('CJ', 1 + s.index),
      subject_number: (s) => (s.index === 0 ? accountNumber(s) : s.number('account', s.index)),
    },
    AmendedSubject: {
      type: subjectType,
      identifier: (s) =>
        subjectType(s) === 'ACCOUNT' ? accountNumber(s) : electricity(s, 2 * s.index).identifier,
    },
    Trait: { identifier: (s) => traitType(s), type: traitType, data: (s) => ({ ...traits[traitType(s)] }) },
    Version: { identifier: (s) => s.uuid(`version ${s.list} ${s.index}`) },
  },
  events: {
    // A contract that expires does so at the last midnight.
    'contracts.expired': { valid_to: (s) => localMidnight(s.today) },
    'contract-groups.created': {
      external_identifier: (s) => `GROUP-${s.integer('contract group')}`,
      name: (s) => contractGroupTypes[groupType(s)].name,
    },
  },
  counts: {
    traits: (s) => s.random.integer(0, 1),
    subject_contract_journeys: (s) => Math.floor(s.random.spread(1, 10)),
    added: (s) => s.random.integer(1, 2),
    updated: (s) => s.random.integer(0, 1),
    removed: (s) => s.random.integer(0, 1),
    memberships_ended: (s) => s.random.integer(0, 1),
    created_versions: () => 1,
    superseded_versions: (s) => s.random.integer(0, 1),
  },
};

function validFrom(scene: Scene): string {
  // Memberships that start do so today, those that end have run a while.
  return localMidnight(scene.list.endsWith('_started') ? scene.today : term(scene, 'contract').from);
}

function validTo(scene: Scene): string {
  if (scene.list.endsWith('_ended')) return localMidnight(scene.today);
  if (scene.list.endsWith('_started')) return openEnd;
  return endOf(term(scene, 'contract'));
}

function groupType(subject: Subject): keyof typeof contractGroupTypes {
  return subject.once('group type', (random) => weightedKey(random, contractGroupTypes));
}

function journeyType({ eventType }: Subject): string {
  if (eventType.includes('termination')) return contractJourneys.termination;
  return eventType.includes('variation') ? contractJourneys.variation : contractJourneys.creation;
}

function subjectType(scene: Scene): SubjectType {
  return scene.once(`amended subject ${scene.list} ${scene.index}`, (random) =>
    random.weighted(subjectTypes),
  );
}

function traitType(scene: Scene): TraitType {
  return scene.once(`trait ${scene.index}`, (random) => anyKey(random, traits));
}
