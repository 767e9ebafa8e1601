import { after, parallel, type ScenarioContext, type Steps, until } from '../../engine/scenario.js';
import { hash32 } from '../../engine/random.js';
import type { Day } from '../../engine/time.js';
import type { Account, Agreement, Cell, Property, SupplyPoint } from '../../world/cell.js';
import {
  agreementsBeyond,
  assignLedger,
  correctProduct,
  createAgreement,
  moveEnd,
  revokeAgreement,
  rollOver,
} from '../../world/supply/agreements.js';
import {
  minNotice,
  nextLine,
  brandOfProduct,
  productFor,
  endOfTerm,
  successorOf,
  takesTerms,
  termLine,
} from '../../world/products/choices.js';
import type { LineCode } from '../../world/products/lines.js';
import { findProduct } from '../../world/products/products.js';
import { presentSupplies } from '../../world/supplies.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  change: { rollover: 0.28, renewal: 0.52, switch: 0.13, correction: 0.07 },
  afterwards: { kept: 0.97, revoked: 0.03 },
} as const;

export const agreementChanges = defineScenario({
  name: 'agreement-changes',
  title: 'An agreement is rolled over, renewed, switched or corrected',
  description:
    'Six to seven weeks before a fixed term ends, a nightly batch puts the supply points on the product that follows: ' +
    'the variable one, or a new term that the customer has chosen. Others leave their term early, or take one, and an ' +
    'agent now and then corrects what was recorded. A new agreement can be undone: the customer then chooses again, or ' +
    'stays on the old one. In a population it starts once a month, and mostly finds nothing to change.',
  setting: 'fixed-term',
  rate: 3300,
  dayOfMonth: ({ seed, index }) => 1 + (hash32(seed, index, 'agreement day') % 28),
  branches,
  *run(context) {
    const { cell, random } = context;
    const { today } = cell;
    const changes: Steps[] = [];
    for (const { account, property } of homesOf(cell)) {
      // An agreement with a successor is decided.
      const current = property.supplyPoints
        .map((supplyPoint) => importsBeyond(account, supplyPoint, today))
        .flatMap((agreements) => (agreements.length === 1 ? agreements : []));
      const [agreed] = current;
      if (agreed === undefined || agreed.from > today) continue;
      if (agreed.to !== undefined && agreed.to < today + latestNotice) {
        changes.push(endTerm(context, account, current, agreed.to));
      } else if (agreed.to === undefined && takesTerms(cell.traits) && random.chance(monthlyTerms)) {
        changes.push(switchProduct(context, account, current));
      }
    }
    yield* parallel(...changes);
  },
});

/** Returns the homes that are on supply, each with its account. */
function homesOf(cell: Cell): { readonly account: Account; readonly property: Property }[] {
  const supplies = presentSupplies(cell);
  return supplies.filter(
    ({ property }, nth) => supplies.findIndex((each) => each.property === property) === nth,
  );
}

/** Returns the agreements beyond a day without those for exported energy. */
function importsBeyond(account: Account, supplyPoint: SupplyPoint, date: Day): Agreement[] {
  return agreementsBeyond(account, supplyPoint, date).filter(({ supplyPoint: its }) => its === supplyPoint);
}

/** Share of variable customers who take a term in a month. */
const monthlyTerms = 0.025;

/** Most days from one start to the next. */
const betweenStarts = 31;

/** Days before its end on which a term can come up: the longest notice, and the time between two starts. */
const latestNotice = minNotice + 7 + betweenStarts;

type AgreementChanges = ScenarioContext<Cell, typeof branches>;

function* endTerm(
  context: AgreementChanges,
  account: Account,
  current: readonly Agreement[],
  expires: Day,
): Steps {
  switch (context.branch.change) {
    case 'rollover':
    case 'renewal':
      return yield* followTerm(context, account, current, expires);
    case 'switch':
      return yield* switchProduct(context, account, current);
    case 'correction':
      yield* correct(context, account, current);
      // The next start would be too late.
      if (expires <= context.cell.today + betweenStarts) {
        yield* followTerm(context, account, current, expires);
      }
  }
}

/** Creates the agreements after the fixed term. A customer who rejects them chooses another product from that day. */
function* followTerm(
  context: AgreementChanges,
  account: Account,
  current: readonly Agreement[],
  expires: Day,
): Steps {
  const { calendar, random } = context;
  const decided = calendar.instantOf(expires - minNotice - random.integer(0, 7));
  yield* until(decided);
  yield* after({ minutes: 31 }, { hours: 5 }, 'night');
  const isRollover = context.branch.change === 'rollover';
  const line = isRollover ? 'VAR' : nextLine(lineOf(current), 77 + random.integer(0, 178));
  const next: Agreement[] = [];
  for (const expiring of current) {
    if (!isOpenTerm(account, expiring, expires)) continue;
    const agreement = yield* agreeOn(context, account, expiring, { line, from: expires });
    if (isRollover) yield* emit(rollOver(account, expiring, agreement));
    yield* charge(context, account, agreement);
    next.push(agreement);
  }
  if (context.branch.afterwards === 'kept') return;
  yield* after({ days: 1 }, { days: 10 }, 'waking');
  for (const rejected of next) {
    // The customer may have left.
    if (rejected.to !== endOfTerm(rejected.product, expires)) continue;
    yield* emit(revokeAgreement(account, rejected));
    yield* after({ seconds: 1 }, { minutes: 5 });
    const other = { line: line === 'FIX-12M' ? 'FIX-24M' : 'FIX-12M', from: expires } as const;
    yield* charge(context, account, yield* agreeOn(context, account, rejected, other));
  }
}

/**
 * Ends the old agreements at the start of the new ones, at the end of a term at the latest. If the new ones are revoked, the
 * old ones continue.
 */
function* switchProduct(context: AgreementChanges, account: Account, current: readonly Agreement[]): Steps {
  const { cell, random } = context;
  const wanted = cell.today + random.integer(1, 14);
  const from = Math.min(wanted, ...current.map(({ to = Infinity }) => to));
  const old = lineOf(current);
  const line = old.startsWith('FIX') ? nextLine(old, 255) : termLine(random.integer(0, 255));
  const switched: {
    readonly agreement: Agreement;
    readonly next: Agreement;
    readonly to: Day | undefined;
  }[] = [];
  for (const agreement of current) {
    const { to } = agreement;
    const next = yield* agreeOn(context, account, agreement, { line, from });
    if (to !== from) {
      yield* after({ milliseconds: 200 }, { seconds: 5 });
      yield* emit(moveEnd(account, agreement, from));
    }
    yield* charge(context, account, next);
    switched.push({ agreement, next, to });
  }
  if (context.branch.afterwards === 'kept') return;
  yield* after({ days: 1 }, { days: 10 }, 'waking');
  for (const { agreement, next, to } of switched) {
    // The customer may have left.
    if (agreement.to !== from || next.to !== endOfTerm(next.product, from)) continue;
    yield* emit(revokeAgreement(account, next));
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(moveEnd(account, agreement, to));
  }
}

/** Corrects the products to those of another month, which were on sale on the day, too. */
function* correct(
  { cell, random }: AgreementChanges,
  account: Account,
  current: readonly Agreement[],
): Steps {
  const isOverride = random.chance(0.2);
  for (const agreement of current) {
    const { product, from } = agreement;
    const other = [from - 31, from]
      .map((date) => successorOf(product, date))
      .find((code) => code !== product);
    if (other === undefined) continue;
    yield* emit(correctProduct(cell, account, agreement, { product: other, isOverride }));
  }
}

function* agreeOn(
  { cell }: AgreementChanges,
  account: Account,
  { supplyPoint, product: old }: Agreement,
  { line, from }: { readonly line: LineCode; readonly from: Day },
): Steps<Agreement> {
  const product = productFor(brandOfProduct(old), line, supplyPoint.market, cell.today);
  const { agreement, created } = createAgreement(cell, account, { supplyPoint, product, from });
  yield* emit(created);
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  return agreement;
}

function* charge({ cell }: AgreementChanges, account: Account, agreement: Agreement): Steps {
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  yield* emit(assignLedger(cell, account, agreement));
}

function lineOf([agreement]: readonly Agreement[]): LineCode {
  return findProduct(agreement?.product ?? '')?.lineCode ?? 'VAR';
}

/** Whether the agreement still ends on that day, without a successor. */
function isOpenTerm(account: Account, agreement: Agreement, expires: Day): boolean {
  return agreement.to === expires && importsBeyond(account, agreement.supplyPoint, expires - 1).length === 1;
}
