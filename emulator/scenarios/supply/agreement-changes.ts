import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import type { Account, Agreement, Cell } from '../../world/cell.js';
import {
  agreementsBeyond,
  assignLedger,
  correctProduct,
  createAgreement,
  fixTerm,
  moveEnd,
  revokeAgreement,
  rollOver,
} from '../../world/supply/agreements.js';
import { householdProduct, productAfterTerm } from '../../world/products/product-codes.js';
import { presentSupplies } from '../../world/supply/supplies.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  change: { rollover: 0.6, switch: 0.3, correction: 0.1 },
  afterwards: { kept: 0.97, revoked: 0.03 },
} as const;

export const agreementChanges = defineScenario({
  name: 'agreement-changes',
  title: 'An agreement is rolled over, switched or corrected',
  description:
    'Six to seven weeks before a fixed term ends, a nightly batch puts the supply point on the product that follows. ' +
    'Other customers choose another product by themselves, and an agent now and then corrects what was recorded. ' +
    'A new agreement can be undone: the customer then chooses again, or stays on the old one.',
  rate: 55,
  branches,
  *run(stage) {
    const [supply] = presentSupplies(stage.cell);
    if (supply === undefined) return;
    const today = stage.calendar.dayAt(stage.now);
    const current = agreementsBeyond(supply.account, supply.supplyPoint, today).find(
      ({ from }) => from <= today,
    );
    // An agreement with an end has a successor.
    if (current === undefined || current.to !== undefined) return;
    switch (stage.branch.change) {
      case 'rollover':
        return yield* followTerm(stage, supply.account, current);
      case 'switch':
        return yield* switchProduct(stage, supply.account, current);
      case 'correction':
        return yield* correct(stage, supply.account, current);
    }
  },
});

type AgreementChanges = ScenarioContext<Cell, typeof branches>;

/** Creates an open agreement after the fixed term. A customer who rejects it chooses another product from that day. */
function* followTerm(stage: AgreementChanges, account: Account, current: Agreement): Steps {
  yield* after({ hours: 1 }, { hours: 12 }, 'night');
  const expires = stage.calendar.dayAt(stage.now) + stage.random.integer(42, 49);
  const expiring = fixTerm(account, current, expires);
  if (expiring === undefined) return;
  const { agreement: next, created } = createAgreement(stage.cell, account, {
    supplyPoint: expiring.supplyPoint,
    product: productAfterTerm,
    from: expires,
  });
  yield* emit(created);
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  yield* emit(rollOver(account, expiring, next));
  yield* charge(stage, account, next);
  if (stage.branch.afterwards === 'kept') return;
  yield* after({ days: 1 }, { days: 10 }, 'waking');
  if (next.to !== undefined) return;
  yield* emit(revokeAgreement(account, next));
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* chooseOther(stage, account, next, expires);
}

/** Ends the old agreement at the start of the new one. If the new one is revoked, the old one continues. */
function* switchProduct(stage: AgreementChanges, account: Account, old: Agreement): Steps {
  const begins = stage.calendar.dayAt(stage.now) + stage.random.integer(1, 14);
  const next = yield* chooseOther(stage, account, old, begins);
  if (stage.branch.afterwards === 'kept') return;
  yield* after({ days: 1 }, { days: 10 }, 'waking');
  if (next.to !== undefined) return;
  yield* emit(revokeAgreement(account, next));
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  yield* emit(moveEnd(account, old, undefined));
}

function* chooseOther(
  stage: AgreementChanges,
  account: Account,
  old: Agreement,
  begins: Day,
): Steps<Agreement> {
  const { agreement, created } = createAgreement(stage.cell, account, {
    supplyPoint: old.supplyPoint,
    product: householdProduct(stage.random, old.product),
    from: begins,
  });
  yield* emit(created);
  if (isInForce(old) && old.to !== begins) {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(moveEnd(account, old, begins));
  }
  yield* charge(stage, account, agreement);
  return agreement;
}

function* correct({ random }: AgreementChanges, account: Account, agreement: Agreement): Steps {
  const product = householdProduct(random, agreement.product);
  yield* emit(correctProduct(account, agreement, product, random.chance(0.2)));
}

function* charge(stage: AgreementChanges, account: Account, agreement: Agreement): Steps {
  yield* after({ milliseconds: 200 }, { seconds: 5 });
  yield* emit(assignLedger(account, agreement, stage.now));
}

/** Whether the agreement was not revoked. */
function isInForce({ from, to }: Agreement): boolean {
  return to === undefined || to > from;
}
