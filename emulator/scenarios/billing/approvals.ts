import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { accountOnSupply, ledgerOf } from '../../world/billing/books.js';
import type { Account, Cell } from '../../world/cell.js';
import {
  type Approval,
  approve,
  approveRequest,
  assignRequest,
  reject,
  rejectRequest,
  requestApproval,
} from '../../world/billing/approvals.js';
import { balance } from '../../world/billing/entries.js';
import { postEntry, postPayment } from '../../world/billing/ledger.js';
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
    'happens; what is agreed to shows on the ledger at once, except for a price. A customer without ' +
    'debt gets a credit instead of a write-off.',
  rate: 35,
  starts: 'office',
  needsSupply: true,
  branches,
  *run(context) {
    const { cell, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const wanted = yield* ask(context, account);
    const requestedBy = staffId(random);
    let assignedTo = staffId(random);
    while (assignedTo === requestedBy) assignedTo = staffId(random);
    const asked = { account, ...wanted, requestedBy, assignedTo };
    const { approval, created } = requestApproval(cell, asked);
    yield* emit(created);
    yield* after({ milliseconds: 200 }, { minutes: 5 });
    yield* emit(assignRequest(cell, approval));

    yield* after({ minutes: 10 }, { days: 2 }, 'office');
    if (branch.verdict === 'rejected') {
      yield* emit(rejectRequest(cell, approval, random.pick(rejectionReasons)));
      yield* after({ milliseconds: 200 }, { seconds: 2 });
      yield* emit(reject(cell, approval));
      return;
    }
    yield* emit(approveRequest(cell, approval, random.pick(approvalReasons)));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(approve(cell, approval));
    // A refund leaves the account as a repayment; a credit or a write-off lowers its debt.
    const { process, amount } = approval;
    if (process === 'PRICE_OVERRIDE') return;
    yield* after({ seconds: 1 }, { minutes: 1 });
    const kind = process === 'REFUND' ? 'repayment' : 'credit';
    yield* emit(postEntry(cell, account, { kind, amount }).posted);
  },
});

type Asking = ScenarioContext<Cell, typeof branches>;

/** Draws what an agent asks for. A customer whose credit does not cover a refund has paid by mistake. */
function* ask(
  { cell, random, branch: { process } }: Asking,
  account: Account,
): Steps<Pick<Approval, 'process' | 'amount'>> {
  const amount = Math.round(random.spread(500, 40_000));
  if (process !== 'REFUND' && process !== 'WRITE_OFF') return { process, amount };
  const owed = balance(ledgerOf(cell, account));
  if (process === 'WRITE_OFF') {
    return owed > 0 ? { process, amount: Math.min(amount, owed) } : { process: 'CREDIT', amount };
  }
  if (owed + amount > 0) {
    yield* emit(postPayment(cell, account, 'payment', amount).posted);
    yield* after({ minutes: 10 }, { hours: 4 }, 'office');
  }
  return { process, amount };
}
