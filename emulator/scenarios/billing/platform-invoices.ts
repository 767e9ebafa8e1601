import { after, between } from '../../engine/scenario.js';
import { hour, minute } from '../../engine/time.js';
import { completePortfolioSummaries, receiveDuosInvoice } from '../../world/billing/platform-invoices.js';
import { defineScenario, emit } from '../define.js';

export const duosInvoice = defineScenario({
  name: 'duos-invoice',
  title: 'A distributor invoices the use of its network',
  description:
    'A network operator sends its invoice for the energy that flowed through its wires, in the morning of a working ' +
    'day. Now and then it sends a better one weeks later, or takes the invoice back.',
  setting: 'platform',
  rate: 2,
  starts: 'working-morning',
  branches: { kind: { plain: 0.9, replaced: 0.07, cancelled: 0.03 } },
  *run({ cell, branch }) {
    const first = receiveDuosInvoice(cell, 'new');
    yield* emit(first);
    if (branch.kind === 'plain') return;
    yield* after({ days: 3 }, { days: 20 }, 'working-morning');
    yield* emit(receiveDuosInvoice(cell, branch.kind === 'replaced' ? 'replace' : 'cancel', first));
  },
});

export const portfolioInvoiceRun = defineScenario({
  name: 'portfolio-invoice-run',
  title: 'The monthly summaries for businesses with many sites',
  description:
    'In the night of the first working day of a month, the platform adds up the invoices of every business portfolio ' +
    'and puts the summaries where the businesses can fetch them.',
  setting: 'platform',
  rate: 1,
  starts: 'month-start-working-night',
  branches: {},
  *run({ cell, calendar, random }) {
    const { today } = cell;
    yield* between(calendar.instantOf(today, 3 * hour), calendar.instantOf(today, 3 * hour + 20 * minute));
    yield* emit(completePortfolioSummaries(cell, random.integer(1, 400)));
  },
});
