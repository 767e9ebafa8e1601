import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { localMidnight, openEnd } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { contractGroupTypes, type TraitType, traits } from '../vocabulary/contracts.js';
import type { Contract } from './contracts.js';

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

export function createGroup(
  cell: Cell,
  contracts: readonly Contract[],
  founding: { readonly on: Day; readonly random: RandomStream },
): { group: ContractGroup; created: Occurrence } {
  const { on, random } = founding;
  // Households do not make contracts of this kind.
  const type = random.weighted({ MULTI_SITE: 0.6, PORTFOLIO: 0.4 });
  const members = contracts.map((contract) => ({ contract, from: on }));
  const group: ContractGroup = { identifier: cell.ids.uuid('contract group'), members, current: undefined };
  const created = occurrence('contract-groups.created', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      group_type: type,
      valid_from: localMidnight(on),
      name: contractGroupTypes[type].name,
      memberships: members.map(({ contract }) => ({
        contract_identifier: contract.identifier,
        valid_from: localMidnight(on),
      })),
      traits: [],
    },
  });
  return { group, created };
}

/** Adds a contract to the group from that day on, and removes `leaving` if it is defined. */
export function changeMemberships(
  group: ContractGroup,
  change: { readonly joining: Contract; readonly leaving: Contract | undefined; readonly on: Day },
): Occurrence {
  const { joining, leaving, on } = change;
  const left = group.members.filter(({ contract }) => contract === leaving);
  for (const member of left) group.members.splice(group.members.indexOf(member), 1);
  group.members.push({ contract: joining, from: on });
  return occurrence('contract-groups.memberships-changed', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      memberships_started: [membership(joining, on, openEnd)],
      memberships_ended: left.map(({ contract, from }) => membership(contract, from, localMidnight(on))),
    },
  });
}

/** Creates the group's terms from that day on, which supersede the present ones. */
export function createGroupVersion(
  cell: Cell,
  group: ContractGroup,
  version: { readonly on: Day; readonly at: Instant; readonly random: RandomStream },
): Occurrence {
  const { on, at, random } = version;
  const before = group.current;
  const type = random.pick(Object.keys(traits) as TraitType[]);
  const trait: Trait = {
    identifier: cell.ids.uuid('group trait'),
    type,
    data: { ...traits[type] },
  };
  group.current = {
    identifier: cell.ids.uuid('group version'),
    from: on,
    knownSince: at,
    traits: [trait],
  };
  return occurrence('contract-groups.version-created', group.identifier, {
    v1: {
      contract_group_identifier: group.identifier,
      effective_period: { start: localMidnight(on), end: openEnd },
      superseded_versions: before === undefined ? [] : [describe(before, formatInstant(at))],
      created_versions: [describe(group.current, openEnd)],
    },
  });
}

function membership({ identifier }: Contract, from: Day, to: string) {
  return { contract_identifier: identifier, valid_from: localMidnight(from), valid_to: to };
}

function describe({ identifier, from, knownSince, traits }: GroupVersion, knownUntil: string) {
  return {
    identifier,
    effective_period: { start: localMidnight(from), end: openEnd },
    system_period: { start: formatInstant(knownSince), end: knownUntil },
    traits: [...traits],
  };
}
