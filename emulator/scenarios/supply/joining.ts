import { after, type Branches, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Agreement, Cell, SupplyPoint } from '../../world/cell.js';
import { createAgreement } from '../../world/supply/agreements.js';
import {
  changeJoinStatus,
  type JoinProcess,
  recordAgreement,
  reverseJoin,
} from '../../world/supply/join-supplier.js';
import { householdProduct } from '../../world/products/product-codes.js';
import { emit } from '../define.js';

/** Creates the account's agreement for the supply point from the first day of supply. */
export function* agree(
  { cell, random }: ScenarioContext<Cell, Branches>,
  join: JoinProcess,
  supplyPoint: SupplyPoint,
): Steps<Agreement> {
  const supply = { supplyPoint, product: householdProduct(random), from: join.startsOn };
  const { agreement, created } = createAgreement(cell, join.account, supply);
  yield* emit(created);
  yield* after({ milliseconds: 200 }, { seconds: 3 });
  yield* emit(recordAgreement(join, agreement));
  return agreement;
}

/** Reverses the process after its agreements have been revoked. */
export function* undoJoin(join: JoinProcess): Steps {
  yield* emit(reverseJoin(join));
  yield* after({ seconds: 1 });
  yield* emit(changeJoinStatus(join, 'REVERSED'));
}
