import { after, between, type Stage, type Steps } from '../../engine/scenario.js';
import { day, hour, minute } from '../../engine/time.js';
import type { Cell } from '../../world/cell.js';
import { terminateAgreement } from '../../world/changes/agreements.js';
import {
  actualizeContract,
  amendSubjects,
  announceExpiry,
  type Contract,
  createContract,
  createContractAgreement,
  draftContract,
  expireContract,
  novateContract,
  rescindContract,
  revokeContract,
  revokeContractAgreement,
  startJourney,
  terminateContract,
  varyTerms,
} from '../../world/changes/contracts.js';
import { customerOf } from '../../world/customer.js';
import { expiryNotices } from '../../world/vocabulary/contracts.js';
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
  story:
    'A business signs a contract for one more site. It can change its mind within two weeks, or the contract turns ' +
    'out to be an error. Later its terms or its subjects change, or it is ended early. Otherwise its end is announced ' +
    'two months ahead, and it runs out or is followed by another.',
  setting: 'business',
  rate: 6,
  starts: 'working-day',
  branches,
  *run(stage) {
    const contract = yield* makeContract(stage);
    if (contract === undefined) return;
    const { outcome, subjects } = stage.branch;
    const lasts = outcome === 'running' || outcome === 'expired' || outcome === 'varied';
    if (lasts && subjects === 'amended') yield* addSubject(stage, contract);
    switch (outcome) {
      case 'running':
        return;
      case 'rescinded':
      case 'revoked':
        return yield* undo(stage, contract, outcome);
      case 'varied':
        return yield* vary(stage, contract);
      case 'terminated':
        return yield* terminate(stage, contract);
      case 'expired':
      case 'novated':
        return yield* comeToAnEnd(stage, contract, outcome);
    }
  },
});

type Telling = Stage<Cell, typeof branches>;

function* makeContract(stage: Telling): Steps<Contract | undefined> {
  const { cell, calendar, random } = stage;
  const customer = customerOf(cell);
  if (customer === undefined) return undefined;
  const from = calendar.dayAt(stage.now) + random.integer(2, 30);
  const contract = draftContract(cell, customer.account, { from, random });
  if (contract === undefined) return undefined;
  yield* emit(startJourney(cell, contract, 'creation', stage.now));
  yield* after({ minutes: 1 }, { days: 1 }, 'working-day');
  yield* emit(createContract(cell, contract, stage.now));
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(actualizeContract(contract, stage.now));
  if (stage.branch.agreement === 'yes') {
    yield* after({ seconds: 1 }, { minutes: 5 });
    yield* emit(createContractAgreement(cell, contract, random));
  }
  return contract;
}

/** As if it had never been made. */
function* undo(stage: Telling, contract: Contract, outcome: 'rescinded' | 'revoked'): Steps {
  if (outcome === 'rescinded') {
    // Fourteen days to think it over, counted from the signature.
    yield* after({ hours: 4 }, { days: 13 }, 'waking');
    yield* emit(rescindContract(contract, stage.now));
  } else {
    yield* after({ days: 1 }, { days: 60 }, 'working-day');
    yield* emit(revokeContract(contract, stage.now));
  }
  const revoked = revokeContractAgreement(contract);
  if (revoked === undefined) return;
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* emit(revoked);
}

/** Gas at the site becomes part of the contract, or what makes up for it where there is none. */
function* addSubject(stage: Telling, contract: Contract): Steps {
  yield* after({ days: 30 }, { days: 200 }, 'working-day');
  const site = stage.cell.properties.find(({ supplyPoints }) => supplyPoints.includes(contract.supplyPoint));
  const { identifier } =
    site?.supplyPoints.find((other) => other !== contract.supplyPoint) ?? contract.supplyPoint;
  const from = stage.calendar.dayAt(stage.now) + 1;
  yield* emit(amendSubjects(contract, { identifier, from, at: stage.now }));
}

function* vary(stage: Telling, contract: Contract): Steps {
  yield* after({ days: 30 }, { days: 100 }, 'working-day');
  yield* emit(startJourney(stage.cell, contract, 'variation', stage.now));
  yield* after({ hours: 1 }, { days: 3 }, 'working-day');
  yield* emit(varyTerms(contract, stage.now));
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(actualizeContract(contract, stage.now));
}

function* terminate(stage: Telling, contract: Contract): Steps {
  yield* after({ days: 60 }, { days: 300 }, 'working-day');
  yield* emit(startJourney(stage.cell, contract, 'termination', stage.now));
  yield* after({ hours: 1 }, { days: 20 }, 'working-day');
  yield* emit(terminateContract(contract, stage.now));
  if (contract.agreement === undefined) return;
  const on = stage.calendar.dayAt(stage.now) + 1;
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(terminateAgreement(contract.account, contract.agreement, on));
}

/** Reminders at night, some weeks and days ahead; a contract that another follows needs none of the last days. */
function* comeToAnEnd(stage: Telling, contract: Contract, outcome: 'expired' | 'novated'): Steps {
  const { cell, calendar } = stage;
  const midnight = (daysBefore: number) => calendar.instantOf(contract.to - daysBefore);
  for (const days of expiryNotices) {
    if (outcome === 'novated' && days < novationDays) continue;
    yield* between(midnight(days) + 30 * minute, midnight(days) + 5 * hour);
    yield* emit(announceExpiry(contract, days, stage.now));
  }
  if (outcome === 'novated') {
    yield* between(midnight(novationDays), midnight(novationDays) + day, 'working-day');
    return yield* emit(novateContract(cell, contract, stage.now));
  }
  yield* between(midnight(0) + hour, midnight(0) + 4 * hour);
  yield* emit(expireContract(contract, stage.now));
}

/** Days before its end at which a contract is replaced by the next. */
const novationDays = 20;
