import { after, type Branches, type Stage, type Steps } from '../../engine/scenario.js';
import type { Agreement, Cell, SupplyPoint } from '../../world/cell.js';
import { createAgreement } from '../../world/changes/agreements.js';
import {
  changeJoinStatus,
  type JoinProcess,
  recordAgreement,
  reverseJoin,
} from '../../world/changes/join-supplier.js';
import { householdProduct } from '../../world/products.js';
import { emit } from '../define.js';

/** The account agrees to a product for the supply point from the day on which supply begins. */
export function* agree(
  { cell, random }: Stage<Cell, Branches>,
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

/** The agreements have been revoked: the account never joined. */
export function* undoJoin(join: JoinProcess): Steps {
  yield* emit(reverseJoin(join));
  yield* after({ seconds: 1 });
  yield* emit(changeJoinStatus(join, 'REVERSED'));
}
