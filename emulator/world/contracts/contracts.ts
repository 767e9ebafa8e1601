import { type RandomStream, randomStream } from '../../engine/random.js';
import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import { type Account, type Agreement, type Cell, newAgreement, type SupplyPoint } from '../cell.js';
import { localMidnight, openEnd } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { contractGroupTypes, contractJourneys, contractTerms, traits, type TraitType } from './words.js';
import { brandOf, productFor } from '../products/choices.js';
import { addMonths } from '../products/rates.js';
import { revokeAgreement } from '../supply/agreements.js';
import { anyKey, weightedKey } from '../weights.js';

/** A contract of an account for a fixed term. Key of its events: account number. */
export interface Contract {
  readonly identifier: string;
  readonly account: Account;
  /** Version of the agreed terms, from 1. */
  version: number;
  readonly from: Day;
  /** The day after its last. */
  readonly to: Day;
  readonly supplyPoint: SupplyPoint;
  agreement: Agreement | undefined;
  /** Whether the contract is or will be in force. */
  isLive: boolean;
}

type JourneyType = keyof typeof contractJourneys;

const contracts = cellState<Contract[]>(() => []);

/** Days from the signature of a contract to its first day, at most. */
const maxAhead = 30;

/** Drafts a contract for a site of the cell without an agreement, or returns undefined if there is none. */
export function draftContract(
  cell: Cell,
  account: Account,
  draft: { readonly from: Day; readonly random: RandomStream },
): Contract | undefined {
  const supplyPoint = freeSupplyPoint(cell);
  if (supplyPoint === undefined) return undefined;
  const to = addMonths(draft.from, Number(draft.random.weighted(contractTerms)));
  return addContract(cell, { account, supplyPoint, from: draft.from, to });
}

/** Returns at least `count` live contracts. It creates missing ones as if they had begun before the run. */
export function existingContracts(cell: Cell, account: Account, count: number): Contract[] {
  const live = contracts.of(cell).filter((contract) => contract.isLive && contract.to > cell.today);
  while (live.length < count) {
    const nth = contracts.of(cell).length;
    const random = randomStream(cell.seed, cell.index, 'existing contract', nth);
    const site = cell.properties[nth % cell.properties.length];
    const [supplyPoint] = site?.supplyPoints ?? [];
    if (supplyPoint === undefined) throw new Error('the cell has no supply point to make a contract for');
    const from = cell.today - random.integer(30, 300);
    live.push(addContract(cell, { account, supplyPoint, from, to: from + 4 * 365 }));
  }
  return live;
}

export function startJourney(cell: Cell, contract: Contract, type: JourneyType) {
  const { account } = contract;
  const journey = {
    contract_journey: {
      number: cell.ids.number('journey'),
      type: contractJourneys[type],
      requested_at: formatInstant(cell.now),
    },
    ...happened(cell, contract),
  };
  if (type === 'variation') {
    return occurrence('contracts.journeys.variation.started', account.number, { v1: journey });
  }
  const subject_contract_journeys = [{ number: cell.ids.number('journey'), subject_number: account.number }];
  return occurrence(`contracts.journeys.${type}.started`, account.number, {
    v1: { ...journey, subject_contract_journeys },
  });
}

/** Signs the contract. */
export function createContract(cell: Cell, contract: Contract) {
  return occurrence('contracts.created', contract.account.number, {
    v1: { ...happened(cell, contract), sales_record_identifier: cell.ids.uuid('sales record') },
  });
}

/** Publishes that the contract's present terms are recorded. */
export function actualizeContract(cell: Cell, contract: Contract) {
  return occurrence('contracts.actualized', contract.account.number, {
    v1: {
      ...happened(cell, contract),
      version_reference: contract.version,
      for_subjects: [contract.account.number],
    },
  });
}

/** Creates an agreement on a product for the term of the contract. */
export function createContractAgreement(cell: Cell, contract: Contract, random: RandomStream) {
  const { account, identifier, from, to } = contract;
  const fixed = to > addMonths(from, 12) ? 'BUS-24M-FIXED' : 'BUS-12M-FIXED';
  const line = random.chance(0.8) ? fixed : 'BUS-FLEX';
  const product = productFor(brandOf(cell.traits), line, contract.supplyPoint.market, from - maxAhead);
  const agreement = newAgreement(cell.ids, contract.supplyPoint, product, from);
  agreement.to = contract.to;
  account.agreements.push(agreement);
  contract.agreement = agreement;
  return occurrence('agreement.created', account.number, {
    v1: {
      agreement_id: agreement.id,
      account_number: account.number,
      valid_from: localMidnight(agreement.from),
      product_code: product,
      business_contract_identifier: identifier,
    },
  });
}

export function revokeContractAgreement(contract: Contract) {
  const { account, agreement } = contract;
  contract.agreement = undefined;
  return agreement && revokeAgreement(account, agreement);
}

/** Ends the contract before its time: rescinded by the customer, revoked as an error, or terminated. */
export function endContract(cell: Cell, contract: Contract, end: 'rescinded' | 'revoked' | 'terminated') {
  contract.isLive = false;
  return occurrence(`contracts.${end}`, contract.account.number, { v1: happened(cell, contract) });
}

/** Adds a supply point to the contract from tomorrow on. */
export function amendSubjects(cell: Cell, contract: Contract, { identifier }: SupplyPoint) {
  const added = {
    type: 'SUPPLY_POINT',
    identifier,
    effective_from: localMidnight(cell.today + 1),
    effective_to: localMidnight(contract.to),
  };
  return occurrence('contracts.subject-amended', contract.account.number, {
    v1: { ...happened(cell, contract), added: [added], updated: [], removed: [] },
  });
}

/** Varies the terms of the contract: its next version. */
export function varyTerms(cell: Cell, contract: Contract) {
  contract.version++;
  return occurrence('contracts.terms-varied', contract.account.number, { v1: happened(cell, contract) });
}

export function announceExpiry(cell: Cell, contract: Contract, days: number) {
  return occurrence('contracts.expiry-approaching', contract.account.number, {
    v1: { ...happened(cell, contract), days_before_expiry: days },
  });
}

/** Replaces the contract with another from the day on which it ends. */
export function novateContract(cell: Cell, contract: Contract) {
  const { account, supplyPoint, from, to } = contract;
  const next = addContract(cell, { account, supplyPoint, from: to, to: to + (to - from) });
  contract.isLive = false;
  return occurrence('contracts.novated', account.number, {
    v1: { ...happened(cell, contract), new_contract_identifier: next.identifier },
  });
}

export function expireContract(cell: Cell, contract: Contract) {
  contract.isLive = false;
  return occurrence('contracts.expired', contract.account.number, {
    v1: { ...happened(cell, contract), valid_to: localMidnight(contract.to) },
  });
}

function addContract(
  cell: Cell,
  { account, supplyPoint, from, to }: Pick<Contract, 'account' | 'supplyPoint' | 'from' | 'to'>,
): Contract {
  const contract: Contract = {
    identifier: cell.ids.uuid('contract'),
    account,
    version: 1,
    from,
    to,
    supplyPoint,
    agreement: undefined,
    isLive: true,
  };
  contracts.of(cell).push(contract);
  return contract;
}

/** Returns an electricity supply point without an agreement or a live contract. */
function freeSupplyPoint(cell: Cell): SupplyPoint | undefined {
  const used = new Set([
    ...cell.accounts.flatMap(({ agreements }) => agreements.map(({ supplyPoint }) => supplyPoint)),
    ...contracts
      .of(cell)
      .filter(({ isLive }) => isLive)
      .map(({ supplyPoint }) => supplyPoint),
  ]);
  return cell.properties
    .flatMap(({ supplyPoints }) => supplyPoints)
    .find((supplyPoint) => supplyPoint.market === 'GBR_ELECTRICITY' && !used.has(supplyPoint));
}

function happened(cell: Cell, { identifier }: Contract) {
  return { contract_identifier: identifier, occurred_at: formatInstant(cell.now) };
}

/** A group of contracts. Key of its events: the identifier. */
interface ContractGroup {
  readonly identifier: string;
  readonly members: GroupMember[];
  /** The terms in force. */
  current: GroupVersion | undefined;
}

interface GroupMember {
  readonly contract: Contract;
  readonly from: Day;
}

interface GroupVersion {
  readonly identifier: string;
  readonly from: Day;
  /** Start of its system period. */
  readonly knownSince: Instant;
  readonly traits: readonly Trait[];
}

interface Trait {
  readonly identifier: string;
  readonly type: TraitType;
  readonly data: Record<string, unknown>;
}

export function createGroup(cell: Cell, contracts: readonly Contract[], random: RandomStream) {
  const { today } = cell;
  const type = weightedKey(random, contractGroupTypes);
  const members = contracts.map((contract) => ({ contract, from: today }));
  const group: ContractGroup = { identifier: cell.ids.uuid('contract group'), members, current: undefined };
  const created = occurrence('contract-groups.created', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      group_type: type,
      valid_from: localMidnight(today),
      name: contractGroupTypes[type].name,
      memberships: members.map(({ contract }) => ({
        contract_identifier: contract.identifier,
        valid_from: localMidnight(today),
      })),
      traits: [],
    },
  });
  return { group, created };
}

/** Adds a contract to the group from today on, and removes `leaving` if it is defined. */
export function changeMemberships(
  { today }: Cell,
  group: ContractGroup,
  joining: Contract,
  leaving: Contract | undefined,
) {
  const left = group.members.filter(({ contract }) => contract === leaving);
  for (const member of left) group.members.splice(group.members.indexOf(member), 1);
  group.members.push({ contract: joining, from: today });
  return occurrence('contract-groups.memberships-changed', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      memberships_started: [membership(joining, today, openEnd)],
      memberships_ended: left.map(({ contract, from }) => membership(contract, from, localMidnight(today))),
    },
  });
}

/** Creates the group's terms from today on, which supersede the present ones. */
export function createGroupVersion(cell: Cell, group: ContractGroup, random: RandomStream) {
  const { now, today } = cell;
  const before = group.current;
  const type = anyKey(random, traits);
  const trait: Trait = { identifier: cell.ids.uuid('group trait'), type, data: { ...traits[type] } };
  group.current = {
    identifier: cell.ids.uuid('group version'),
    from: today,
    knownSince: now,
    traits: [trait],
  };
  return occurrence('contract-groups.version-created', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      effective_period: { start: localMidnight(today), end: openEnd },
      superseded_versions: before === undefined ? [] : [describeVersion(before, formatInstant(now))],
      created_versions: [describeVersion(group.current, openEnd)],
    },
  });
}

function membership({ identifier }: Contract, from: Day, to: string) {
  return { contract_identifier: identifier, valid_from: localMidnight(from), valid_to: to };
}

function describeVersion({ identifier, from, knownSince, traits }: GroupVersion, knownUntil: string) {
  return {
    identifier,
    effective_period: { start: localMidnight(from), end: openEnd },
    system_period: { start: formatInstant(knownSince), end: knownUntil },
    traits: [...traits],
  };
}
