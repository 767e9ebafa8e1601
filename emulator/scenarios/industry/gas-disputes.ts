import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Span } from '../../engine/time.js';
import type { Cell } from '../../world/cell.js';
import { booksOf } from '../../world/billing/books.js';
import {
  acceptOpening,
  type Dispute,
  type DisputeMove,
  findDispute,
  moveDispute,
} from '../../world/industry/readings.js';
import { formerSupplies, presentSupplies, type Supply } from '../../world/supply/supplies.js';
import { otherSuppliers } from '../../world/industry/participants.js';
import { correctCharge, findCharge } from '../billing/correct-charge.js';
import { defineScenario, emit } from '../define.js';

const closingBranches = {
  'started-by': { us: 0.4, them: 0.6 },
  outcome: { accepted: 0.7, alternative: 0.22, queried: 0.08 },
} as const;

export const gasDisputedClosing = defineScenario({
  name: 'gas-disputed-closing',
  title: 'The gas reading on which a customer left us is disputed',
  description:
    'After a customer has left, we or their new supplier do not agree with the reading that their gas supply ended ' +
    'with. The other side accepts, asks back first, or proposes another reading, which then is accepted.',
  setting: 'dormant',
  rate: 0.8,
  lead: 40,
  starts: 'working-day',
  branches: closingBranches,
  *run(stage) {
    const { cell, branch, random } = stage;
    const supply = formerSupplies(cell, 'GBR_GAS').sort((a, b) => (b.to ?? 0) - (a.to ?? 0))[0];
    if (supply?.to === undefined || cell.today - supply.to > disputable) return;
    const dispute = findDispute(cell, random, {
      supply,
      transferredOn: supply.to,
      isGain: false,
      startedBy: branch['started-by'],
      other: random.pick(otherSuppliers),
    });
    if (branch['started-by'] === 'us') yield* weDispute(stage, dispute);
    else yield* theyDispute(stage, dispute);
  },
});

type ClosingDispute = ScenarioContext<Cell, typeof closingBranches>;

/** Days after a transfer in which its reading can be disputed. */
const disputable = 365;

/** We start the dispute. No event reports the other supplier's queries. */
function* weDispute(stage: ClosingDispute, dispute: Dispute): Steps {
  yield* move(stage, dispute, 'started.by_us');
  if (stage.branch.outcome === 'alternative') {
    yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 15, hours: 6 });
    yield* move(stage, dispute, 'alternative_proposed.other_supplier');
    yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 15, hours: 6 });
    yield* move(stage, dispute, 'accepted.by_us');
  } else {
    yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 15, hours: 6 });
    yield* move(stage, dispute, 'accepted.other_supplier');
  }
}

function* theyDispute(stage: ClosingDispute, dispute: Dispute): Steps {
  yield* move(stage, dispute, 'started.other_supplier');
  if (stage.branch.outcome === 'alternative') {
    yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 10, hours: 6 });
    yield* move(stage, dispute, 'alternative_proposed.by_us');
    yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 15, hours: 6 });
    yield* move(stage, dispute, 'accepted.other_supplier');
    return;
  }
  if (stage.branch.outcome === 'queried') {
    yield* answer({ workingDays: 2, minutes: 5 }, { workingDays: 5, hours: 6 });
    yield* move(stage, dispute, 'queried.by_us');
  }
  yield* answer({ workingDays: 3, minutes: 5 }, { workingDays: 15, hours: 6 });
  yield* move(stage, dispute, 'accepted.by_us');
}

/** Waits for the response of a supplier's desk. */
function answer(least: Span, most: Span): Steps {
  return after(least, most, 'working-day');
}

const closing = 'meterpoint.gas.disputed_closing_reading';
type ClosingMove = DisputeMove extends infer M
  ? M extends `${typeof closing}.${infer Rest}`
    ? Rest
    : never
  : never;

function move({ random }: ClosingDispute, dispute: Dispute, what: ClosingMove): Steps {
  return emit(moveDispute(dispute, `${closing}.${what}`, random));
}

const openingBranches = {
  outcome: { 'other-accepts': 0.75, 'we-accept': 0.25 },
  rebill: { corrected: 0.6, unchanged: 0.4 },
} as const;

export const gasDisputedOpening = defineScenario({
  name: 'gas-disputed-opening',
  title: 'The gas reading on which a customer came to us is disputed',
  description:
    'A customer who came to us a few weeks ago, or the supplier they came from, does not agree with the reading that ' +
    'their gas supply began with. The two suppliers argue, one accepts what the other has, and most often the first ' +
    'charge is taken back and made again with the agreed reading.',
  setting: 'newcomer',
  rate: 0.6,
  lead: 40,
  starts: 'working-day',
  branches: openingBranches,
  *run(stage) {
    const { cell, branch, random } = stage;
    const supply = presentSupplies(cell, 'GBR_GAS').sort((a, b) => b.from - a.from)[0];
    if (supply === undefined || cell.today - supply.from > disputable) return;
    const dispute = findDispute(cell, random, {
      supply,
      transferredOn: supply.from,
      isGain: true,
      startedBy: branch.outcome === 'other-accepts' ? 'us' : 'them',
      other: random.pick(otherSuppliers),
    });
    if (branch.outcome === 'other-accepts') {
      yield* after({ workingDays: 10, minutes: 5 }, { workingDays: 30, hours: 6 }, 'working-day');
      yield* emit(acceptOpening(dispute));
    } else {
      yield* after({ workingDays: 5, minutes: 5 }, { workingDays: 20, hours: 6 }, 'working-day');
      const move = 'meterpoint.gas.disputed_opening_reading.accepted.by_us';
      yield* emit(moveDispute(dispute, move, random));
    }
    if (branch.rebill === 'corrected') yield* correctFirstCharge(stage, supply);
  },
});

/** Corrects the charge that begins with the disputed reading, if the account has been billed for it. */
function* correctFirstCharge(
  stage: ScenarioContext<Cell, typeof openingBranches>,
  { account, supplyPoint, from }: Supply,
): Steps {
  const books = booksOf(stage.cell, account);
  const wrong = findCharge(books, (energy) => energy.supplyPoint === supplyPoint && energy.from === from);
  if (wrong === undefined) return;
  yield* after({ days: 1 }, { days: 10 }, 'night');
  yield* correctCharge(stage, account, books, wrong, 'REBILL');
}
