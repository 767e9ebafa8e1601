import { after, between, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { day, hour, minute } from '../../engine/time.js';
import type { Cell } from '../../world/cell.js';
import { terminateAgreement } from '../../world/supply/agreements.js';
import {
  actualizeContract,
  amendSubjects,
  announceExpiry,
  changeMemberships,
  type Contract,
  createContract,
  createContractAgreement,
  createGroup,
  createGroupVersion,
  draftContract,
  endContract,
  existingContracts,
  expireContract,
  novateContract,
  revokeContractAgreement,
  startJourney,
  varyTerms,
} from '../../world/contracts/contracts.js';
import { customerOf } from '../../world/customer/customer.js';
import { expiryNotices } from '../../world/contracts/words.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  outcome: {
    running: 0.45,
    expired: 0.2,
    novated: 0.08,
    varied: 0.12,
    terminated: 0.08,
    rescinded: 0.04,
    revoked: 0.03,
  },
  agreement: { yes: 0.8, no: 0.2 },
  subjects: { kept: 0.85, amended: 0.15 },
} as const;

export const contractLife = defineScenario({
  name: 'contract-life',
  title: 'A business makes a contract, from signature to its end',
  description:
    'A business signs a contract for one more site. It can change its mind within two weeks, or the contract turns ' +
    'out to be an error. Later its terms or its subjects change, or it is ended early. Otherwise its end is announced ' +
    'two months ahead, and it runs out or is followed by another.',
  setting: 'business',
  rate: 6,
  lead: 120,
  starts: 'working-day',
  branches,
  *run(context) {
    const contract = yield* makeContract(context);
    if (contract === undefined) return;
    const { outcome, subjects } = context.branch;
    const lasts = outcome === 'running' || outcome === 'expired' || outcome === 'varied';
    if (lasts && subjects === 'amended') yield* addSubject(context, contract);
    switch (outcome) {
      case 'running':
        return;
      case 'rescinded':
      case 'revoked':
        return yield* undo(context, contract, outcome);
      case 'varied':
        return yield* vary(context, contract);
      case 'terminated':
        return yield* terminate(context, contract);
      case 'expired':
      case 'novated':
        return yield* reachEnd(context, contract, outcome);
    }
  },
});

type ContractLife = ScenarioContext<Cell, typeof branches>;

function* makeContract(context: ContractLife): Steps<Contract | undefined> {
  const { cell, random } = context;
  const customer = customerOf(cell);
  if (customer === undefined) return undefined;
  const from = cell.today + random.integer(2, 30);
  const contract = draftContract(cell, customer.account, { from, random });
  if (contract === undefined) return undefined;
  yield* emit(startJourney(cell, contract, 'creation'));
  yield* after({ minutes: 1 }, { days: 1 }, 'working-day');
  yield* emit(createContract(cell, contract));
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(actualizeContract(cell, contract));
  if (context.branch.agreement === 'yes') {
    yield* after({ seconds: 1 }, { minutes: 5 });
    yield* emit(createContractAgreement(cell, contract, random));
  }
  return contract;
}

/** Rescinds the contract within fourteen days of its signature, or revokes it later. */
function* undo(context: ContractLife, contract: Contract, outcome: 'rescinded' | 'revoked'): Steps {
  yield* outcome === 'rescinded'
    ? after({ hours: 4 }, { days: 13 }, 'waking')
    : after({ days: 1 }, { days: 60 }, 'working-day');
  yield* emit(endContract(context.cell, contract, outcome));
  const revoked = revokeContractAgreement(contract);
  if (revoked === undefined) return;
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* emit(revoked);
}

/** Adds the site's other supply point to the contract, or its only one again. */
function* addSubject(context: ContractLife, contract: Contract): Steps {
  yield* after({ days: 30 }, { days: 200 }, 'working-day');
  const site = context.cell.properties.find(({ supplyPoints }) =>
    supplyPoints.includes(contract.supplyPoint),
  );
  const added = site?.supplyPoints.find((other) => other !== contract.supplyPoint) ?? contract.supplyPoint;
  yield* emit(amendSubjects(context.cell, contract, added));
}

function* vary(context: ContractLife, contract: Contract): Steps {
  yield* after({ days: 30 }, { days: 100 }, 'working-day');
  yield* emit(startJourney(context.cell, contract, 'variation'));
  yield* after({ hours: 1 }, { days: 3 }, 'working-day');
  yield* emit(varyTerms(context.cell, contract));
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(actualizeContract(context.cell, contract));
}

function* terminate(context: ContractLife, contract: Contract): Steps {
  yield* after({ days: 60 }, { days: 300 }, 'working-day');
  yield* emit(startJourney(context.cell, contract, 'termination'));
  yield* after({ hours: 1 }, { days: 20 }, 'working-day');
  yield* emit(endContract(context.cell, contract, 'terminated'));
  if (contract.agreement === undefined) return;
  const on = context.cell.today + 1;
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(terminateAgreement(contract.account, contract.agreement, on));
}

/** Sends expiry notices at night, then ends or replaces the contract. A replaced contract needs no late notices. */
function* reachEnd(context: ContractLife, contract: Contract, outcome: 'expired' | 'novated'): Steps {
  const { cell, calendar } = context;
  const midnight = (daysBefore: number) => calendar.instantOf(contract.to - daysBefore);
  for (const days of expiryNotices) {
    if (outcome === 'novated' && days < novationDays) continue;
    yield* between(midnight(days) + 30 * minute, midnight(days) + 5 * hour);
    yield* emit(announceExpiry(cell, contract, days));
  }
  if (outcome === 'novated') {
    yield* between(midnight(novationDays), midnight(novationDays) + day, 'working-day');
    return yield* emit(novateContract(cell, contract));
  }
  yield* between(midnight(0) + hour, midnight(0) + 4 * hour);
  yield* emit(expireContract(cell, contract));
}

/** Days from a contract's replacement to its end. */
const novationDays = 20;

export const contractGroup = defineScenario({
  name: 'contract-group',
  title: 'A business has its contracts treated as one',
  description:
    'A business with several contracts has them put into a group, for one bill or a common discount. Weeks later ' +
    'another contract may join the group, and one may leave it.',
  setting: 'business',
  rate: 0.8,
  lead: 120,
  starts: 'working-day',
  branches: { members: { kept: 0.5, changed: 0.5 } },
  *run(context) {
    const { cell, random } = context;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { account } = customer;
    const contracts = existingContracts(cell, account, random.integer(2, 3));
    const { group, created } = createGroup(cell, contracts, random);
    yield* emit(created);
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(createGroupVersion(cell, group, random));

    if (context.branch.members === 'kept') return;
    yield* after({ days: 1 }, { days: 90 }, 'working-day');
    const joining = existingContracts(cell, account, contracts.length + 1).find(
      (contract) => !contracts.includes(contract),
    );
    if (joining === undefined) return;
    const leaving = random.chance(0.3) ? contracts[0] : undefined;
    yield* emit(changeMemberships(cell, group, joining, leaving));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(createGroupVersion(cell, group, random));
  },
});
