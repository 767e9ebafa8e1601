import { after, between, type ScenarioContext, type Steps, parallel } from '../../engine/scenario.js';
import { hour } from '../../engine/time.js';
import type { Account, Agreement, Cell, SupplyPoint, User } from '../../world/cell.js';
import { enrolAccount, registerUser } from '../../world/customer/accounts.js';
import { assignLedger, revokeAgreement } from '../../world/supply/agreements.js';
import {
  appointAssetManager,
  ourAssetManager,
  receiveMeterDetails,
} from '../../world/industry/gas-meters.js';
import {
  checkCredit,
  creditAffiliate,
  giveConsent,
  joinWelcomeCampaign,
  recordSale,
} from '../../world/sales/enrolment.js';
import {
  acceptTerms,
  awaitJoinFlow,
  awaitPostActivation,
  awaitPreActivation,
  beginSupplyPeriod,
  cancelJoin,
  completeActivation,
  completeJoin,
  demandDeposits,
  ensurePaymentInstructions,
  initiateActivation,
  type JoinProcess,
  qualifyForLoyaltyPoints,
  requestJoin,
  requestJoinEnd,
  reverseLoyaltyQualification,
} from '../../world/supply/join-supplier.js';
import { changeStatus } from '../../world/supply/process-status.js';
import {
  confirmGasRegistration,
  initiateGain,
  registerElectricity,
  registerGas,
} from '../../world/supply/registration.js';
import { freeHome } from '../../world/customer/customer.js';
import { billBeforeRun } from '../billing/billing-cycle.js';
import { defineScenario, emit } from '../define.js';
import { agree, takeBackCharges, undoJoin } from './joining.js';

const branches = {
  outcome: { completed: 0.92, cancelled: 0.06, reversed: 0.02 },
  sale: { web: 0.85, telephone: 0.15 },
  affiliate: { none: 0.88, credited: 0.12 },
  campaign: { none: 0.8, joined: 0.2 },
  consent: { given: 0.9, absent: 0.1 },
  credit: { unchecked: 0.9, passed: 0.085, deposit: 0.015 },
  discovery: { direct: 0.7, awaited: 0.3 },
  'meter-details': { received: 0.96, missing: 0.04 },
  loyalty: { qualifies: 0.85, absent: 0.15 },
} as const;

export const joinSwitchGain = defineScenario({
  name: 'join-switch-gain',
  title: 'A household switches its supply to us',
  description:
    'Somebody new signs up, mostly on the web, for electricity and often gas. The industry moves the supply points ' +
    'within five working days, unless the customer thinks better of it. Once all of them are on supply the account ' +
    'is active. A few switches turn out to be mistakes, or are taken back while that is a right, and are reversed.',
  rate: 27,
  // By then, all are over.
  lead: 40,
  branches,
  *run(context) {
    if (context.branch.sale === 'telephone') yield* after({ seconds: 1 }, { minutes: 30 }, 'office');
    const home = freeHome(context.cell);
    if (home === undefined) return;
    const { account, customer } = yield* signUp(context);
    const startsOn = chooseStart(context);
    yield* recordOrigin(context, account, { startsOn, hasGas: home.supplyPoints.length > 1 });
    yield* after({ seconds: 1 }, { seconds: 30 });
    const subtype = 'CHANGE_OF_SUPPLIER';
    const { join, requested } = requestJoin(context.cell, { account, property: home, startsOn, subtype });
    yield* emit(requested);
    yield* prepare(context, join, customer);
    if (context.branch.outcome === 'cancelled') return yield* cancel(context, join);

    yield* parallel(switchHere(context, join), billBeforeRun(context, account));
  },
});

type SwitchGain = ScenarioContext<Cell, typeof branches>;

function* signUp({ cell, random }: SwitchGain): Steps<{ account: Account; customer: User }> {
  const { account, users, opened } = enrolAccount(cell, random);
  yield* emit(opened);
  const customer = users[0] as User;
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(registerUser(customer, 'ACCOUNT_USER'));
  return { account, customer };
}

/** Returns the first day of supply: as soon as the industry allows, or up to four weeks ahead. */
function chooseStart({ cell: { today }, calendar, random }: SwitchGain): number {
  const soonest = calendar.addWorkingDays(today, 5);
  return random.chance(0.75) ? soonest : Math.max(soonest, today + random.integer(6, 28));
}

function* recordOrigin(
  { cell, branch, random }: SwitchGain,
  account: Account,
  { startsOn, hasGas }: { startsOn: number; hasGas: boolean },
): Steps {
  if (branch.sale === 'telephone') {
    yield* after({ seconds: 1 }, { seconds: 30 });
    yield* emit(recordSale(account, startsOn, random));
  }
  if (branch.affiliate === 'credited') {
    const contract = random.integer(1001, 1040);
    for (const fuel of hasGas ? (['ELECTRICITY', 'GAS'] as const) : (['ELECTRICITY'] as const)) {
      yield* after({ seconds: 1 }, { seconds: 20 });
      yield* emit(creditAffiliate(cell, account, { contract, fuel }));
    }
  }
  if (branch.campaign === 'joined') {
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(joinWelcomeCampaign(cell, account, random));
  }
}

/** Completes the steps before the industry is asked. */
function* prepare(context: SwitchGain, join: JoinProcess, customer: User): Steps {
  const { cell, branch } = context;
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(changeStatus(join, 'IN_PROGRESS'));
  yield* after({ seconds: 1 }, { minutes: 2 });
  yield* emit(acceptTerms(join));
  if (branch.consent === 'given') {
    yield* after({ milliseconds: 100 }, { seconds: 5 });
    yield* emit(giveConsent(cell, customer));
  }
  yield* after({ seconds: 1 }, { seconds: 10 });
  yield* emit(ensurePaymentInstructions(join, 'initiated'));
  yield* after({ seconds: 2 }, { minutes: 15 });
  yield* emit(ensurePaymentInstructions(join, 'completed'));
  if (branch.credit !== 'unchecked') {
    yield* after({ seconds: 2 }, { minutes: 1 });
    yield* emit(checkCredit(cell, join.account));
  }
  if (branch.credit === 'deposit') {
    yield* after({ seconds: 5 }, { minutes: 2 });
    yield* emit(demandDeposits(join));
  }
  if (branch.discovery === 'awaited') {
    yield* after({ seconds: 5 }, { minutes: 1 });
    yield* emit(awaitJoinFlow(join, 'pre-discovery'));
  }
  yield* after({ seconds: 5 }, { minutes: 5 });
  yield* emit(awaitJoinFlow(join, 'pre-activation'));
  for (const supplyPoint of join.property.supplyPoints) {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(awaitPreActivation(join, supplyPoint));
  }
}

/** Cancels the process before the industry is asked. */
function* cancel({ cell }: SwitchGain, join: JoinProcess): Steps {
  yield* after({ minutes: 30 }, { days: 3 }, 'waking');
  yield* emit(requestJoinEnd(join, 'cancellation'));
  yield* after({ minutes: 1 }, { days: 1 });
  yield* emit(cancelJoin(cell, join));
  yield* after({ seconds: 1 });
  yield* emit(changeStatus(join, 'CANCELLED'));
}

function* switchHere(context: SwitchGain, join: JoinProcess): Steps {
  const agreements: Agreement[] = [];
  yield* parallel(
    ...join.property.supplyPoints.map((supplyPoint) => moveHere(context, join, supplyPoint)),
    goOnSupply(context, join, agreements),
  );
  if (context.branch.outcome === 'reversed') yield* reverse(context, join, agreements);
}

/** Asks the industry for the supply point. Gas needs a confirmation, an asset manager and the meter's details. */
function* moveHere(context: SwitchGain, join: JoinProcess, supplyPoint: SupplyPoint): Steps {
  const { cell, branch, random } = context;
  const { account, property, startsOn } = join;
  yield* after({ minutes: 1 }, { hours: 4 }, 'industry');
  yield* emit(initiateActivation(join, supplyPoint));
  yield* after({ seconds: 1 }, { seconds: 30 });
  yield* emit(initiateGain(account, supplyPoint));
  yield* after({ seconds: 1 }, { minutes: 10 });
  if (supplyPoint.market === 'GBR_ELECTRICITY') {
    yield* emit(registerElectricity(account, supplyPoint, { from: startsOn, how: 'gain' }));
    return;
  }
  yield* emit(registerGas(account, supplyPoint, startsOn));
  yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 2, hours: 6 }, 'industry');
  yield* emit(confirmGasRegistration(cell, account, supplyPoint));
  yield* after({ minutes: 5 }, { days: 1 }, 'industry');
  const appointment = { manager: ourAssetManager, force: random.chance(0.05) };
  yield* emit(appointAssetManager(cell, account, supplyPoint, appointment));
  if (branch['meter-details'] === 'missing') return;
  yield* after({ workingDays: 2, minutes: 5 }, { workingDays: 8, hours: 6 }, 'industry');
  const supply = { account, property, supplyPoint, from: startsOn, to: undefined };
  const lastReadOn = cell.today - random.integer(1, 60);
  yield* emit(receiveMeterDetails(cell, supply, lastReadOn));
}

/** Starts supply at midnight. The confirmations arrive during the morning. */
function* goOnSupply(context: SwitchGain, join: JoinProcess, agreements: Agreement[]): Steps {
  const { cell, branch, calendar } = context;
  const { account, property } = join;
  const begins = calendar.instantOf(join.startsOn);
  yield* between(begins + hour, begins + 9 * hour);
  for (const supplyPoint of property.supplyPoints) {
    yield* after({ seconds: 10 }, { hours: 1 });
    yield* emit(completeActivation(join, supplyPoint));
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    yield* emit(beginSupplyPeriod(cell, join, supplyPoint));
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    const agreement = yield* agree(context, join, supplyPoint);
    agreements.push(agreement);
    yield* after({ milliseconds: 500 }, { seconds: 10 });
    yield* emit(assignLedger(cell, account, agreement));
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(awaitPostActivation(join, supplyPoint));
  }
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(awaitJoinFlow(join, 'post-activation'));
  yield* after({ minutes: 1 }, { hours: 6 });
  yield* emit(completeJoin(cell, join, branch.outcome === 'reversed'));
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(changeStatus(join, 'COMPLETED'));
  if (branch.loyalty === 'qualifies') {
    yield* after({ minutes: 30 }, { hours: 12 });
    yield* emit(qualifyForLoyaltyPoints(cell, join));
  }
}

/** Reverses an erroneous transfer, or a switch that the customer withdraws from. */
function* reverse(context: SwitchGain, join: JoinProcess, agreements: readonly Agreement[]): Steps {
  yield* after({ days: 3 }, { days: 20 }, 'office');
  yield* emit(requestJoinEnd(join, 'reversal'));
  yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 5, hours: 6 }, 'working-day');
  for (const agreement of agreements) {
    yield* emit(revokeAgreement(join.account, agreement));
    yield* after({ seconds: 1 }, { minutes: 10 });
  }
  yield* undoJoin(join);
  yield* parallel(takeBackCharges(context, join), takeBackPoints(context, join));
}

function* takeBackPoints({ branch }: SwitchGain, join: JoinProcess): Steps {
  if (branch.loyalty === 'absent') return;
  yield* after({ minutes: 1 }, { hours: 6 });
  yield* emit(reverseLoyaltyQualification(join));
}
