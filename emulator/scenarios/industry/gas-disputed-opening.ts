import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Account, Cell } from '../../world/cell.js';
import { acceptOpening, findDispute, moveDispute } from '../../world/changes/readings.js';
import { postEntry, removeEntry } from '../../world/changes/ledger.js';
import { presentSupplies } from '../../world/supplies.js';
import { otherSuppliers } from '../../world/vocabulary/participants.js';
import { defineScenario, emit } from '../define.js';

const branches = {
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
  starts: 'working-day',
  branches,
  *run(stage) {
    const { cell, branch, random } = stage;
    const supply = presentSupplies(cell, 'GBR_GAS').sort((a, b) => b.from - a.from)[0];
    if (supply === undefined || stage.calendar.dayAt(stage.now) - supply.from > disputable) return;
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
    if (branch.rebill === 'corrected') yield* correctCharge(stage, supply.account);
  },
});

/** Days after a transfer in which its reading can be disputed. */
const disputable = 365;

/** Replaces the first charge. An account without a charge gets one from before the run. */
function* correctCharge({ cell, random }: ScenarioContext<Cell, typeof branches>, account: Account): Steps {
  const wrong =
    account.ledger.entries.find(
      ({ kind, isReversed, reverses }) => kind === 'charge' && !isReversed && !reverses,
    ) ?? postEntry(cell, account, { kind: 'charge', amount: random.integer(3_000, 18_000) }).entry;
  yield* after({ days: 1 }, { days: 10 }, 'night');
  if (!account.ledger.entries.includes(wrong)) return;
  yield* emit(removeEntry(account, wrong, 'REBILL'));
  yield* after({ seconds: 1 }, { seconds: 20 });
  const amount = Math.max(1, wrong.amount + random.integer(-2_500, 2_500));
  yield* emit(postEntry(cell, account, { kind: 'charge', amount }).posted);
}
