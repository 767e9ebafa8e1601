import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/billing/books.js';
import type { Cell } from '../../world/cell.js';
import {
  type Approval,
  approve,
  approveRequest,
  assignRequest,
  reject,
  rejectRequest,
  requestApproval,
} from '../../world/billing/approvals.js';
import { postEntry } from '../../world/billing/ledger.js';
import { approvalProcesses, approvalReasons, rejectionReasons } from '../../world/billing/words.js';
import { staffId } from '../../world/staff.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  process: approvalProcesses,
  verdict: { approved: 0.87, rejected: 0.13 },
} as const;

export const approvals = defineScenario({
  name: 'approvals',
  title: 'A second pair of eyes looks at a refund, a credit or a write-off',
  description:
    'An agent wants to give money back, forgo some, or set a price by hand. Somebody else has to agree before it ' +
    'happens; what is agreed to shows on the ledger at once, except for a price.',
  rate: 35,
  starts: 'office',
  needsSupply: true,
  branches,
  *run(stage) {
    const { cell, calendar, random, branch } = stage;
    const account = accountOnSupply(cell, calendar.dayAt(stage.now));
    if (account === undefined) return;
    const requestedBy = staffId(random);
    let assignedTo = staffId(random);
    while (assignedTo === requestedBy) assignedTo = staffId(random);
    const amount = Math.round(random.spread(500, 40_000));
    const asked = { account, process: branch.process, amount, requestedBy, assignedTo };
    const { approval, created } = requestApproval(cell, asked, stage.now);
    yield* emit(created);
    yield* after({ milliseconds: 200 }, { minutes: 5 });
    yield* emit(assignRequest(cell, approval, stage.now));

    yield* after({ minutes: 10 }, { days: 2 }, 'office');
    if (branch.verdict === 'rejected') {
      yield* emit(rejectRequest(approval, { reason: random.pick(rejectionReasons), at: stage.now }));
      yield* after({ milliseconds: 200 }, { seconds: 2 });
      yield* emit(reject(approval, stage.now));
      return;
    }
    yield* emit(approveRequest(approval, { reason: random.pick(approvalReasons), at: stage.now }));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(approve(approval, stage.now));
    yield* applyVerdict(stage, approval);
  },
});

/** A refund leaves the account as a repayment; a credit or a write-off lowers its debt. */
function* applyVerdict(
  { cell, branch }: ScenarioContext<Cell, typeof branches>,
  { account, amount }: Approval,
): Steps {
  if (branch.process === 'PRICE_OVERRIDE') return;
  yield* after({ seconds: 1 }, { minutes: 1 });
  const kind = branch.process === 'REFUND' ? 'repayment' : 'credit';
  yield* emit(postEntry(cell, account, { kind, amount }).posted);
}
