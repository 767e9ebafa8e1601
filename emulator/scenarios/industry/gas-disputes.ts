import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Cell } from '../../world/cell.js';
import { booksOf } from '../../world/billing/books.js';
import { acceptOpening, findDispute, moveDispute } from '../../world/industry/readings.js';
import { formerSupplies, presentSupplies, type Supply } from '../../world/supplies.js';
import { otherSuppliers } from '../../world/industry/participants.js';
import { correctCharge, findCharge } from '../billing/correct-charge.js';
import { defineScenario, emit } from '../define.js';

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
  branches: {
    'started-by': { us: 0.4, them: 0.6 },
    outcome: { accepted: 0.7, alternative: 0.22, queried: 0.08 },
  },
  *run(context) {
    const { cell, branch, random } = context;
    const supply = formerSupplies(cell, 'GBR_GAS').sort((a, b) => (b.to ?? 0) - (a.to ?? 0))[0];
    if (supply?.to === undefined || cell.today - supply.to > disputable) return;
    const dispute = findDispute(cell, random, {
      supply,
      transferredOn: supply.to,
      isGain: false,
      startedBy: branch['started-by'],
      other: random.pick(otherSuppliers),
    });
    const starter = branch['started-by'];
    yield* emit(
      moveDispute(dispute, `${closing}.started.${starter === 'us' ? 'by_us' : 'other_supplier'}`, random),
    );
    for (const [move, least, most] of replies[starter][branch.outcome]) {
      yield* after({ workingDays: least, minutes: 5 }, { workingDays: most, hours: 6 }, 'working-day');
      yield* emit(moveDispute(dispute, `${closing}.${move}`, random));
    }
  },
});

/** Days after a transfer in which its reading can be disputed. */
const disputable = 365;

/** Moves after the first, by who starts the dispute, with the working days before each. Nothing reports their queries. */
const replies = {
  us: {
    accepted: [['accepted.other_supplier', 3, 15]],
    alternative: [
      ['alternative_proposed.other_supplier', 3, 15],
      ['accepted.by_us', 3, 15],
    ],
    queried: [['accepted.other_supplier', 3, 15]],
  },
  them: {
    accepted: [['accepted.by_us', 3, 15]],
    alternative: [
      ['alternative_proposed.by_us', 3, 10],
      ['accepted.other_supplier', 3, 15],
    ],
    queried: [
      ['queried.by_us', 2, 5],
      ['accepted.by_us', 3, 15],
    ],
  },
} as const;

const closing = 'meterpoint.gas.disputed_closing_reading';
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
  *run(context) {
    const { cell, branch, random } = context;
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
    if (branch.rebill === 'corrected') yield* correctFirstCharge(context, supply);
  },
});

/** Corrects the charge that begins with the disputed reading, if the account has been billed for it. */
function* correctFirstCharge(
  context: ScenarioContext<Cell, typeof openingBranches>,
  { account, supplyPoint, from }: Supply,
): Steps {
  const books = booksOf(context.cell, account);
  const wrong = findCharge(books, (energy) => energy.supplyPoint === supplyPoint && energy.from === from);
  if (wrong === undefined) return;
  yield* after({ days: 1 }, { days: 10 }, 'night');
  yield* correctCharge(context, account, books, wrong, 'REBILL');
}
