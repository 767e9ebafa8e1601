import { between } from '../../engine/scenario.js';
import { hour, minute } from '../../engine/time.js';
import { completePortfolioSummaries } from '../../world/changes/platform.js';
import { defineScenario, emit } from '../define.js';

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
  *run(stage) {
    const { cell, calendar, random } = stage;
    const today = calendar.dayAt(stage.now);
    yield* between(calendar.instantOf(today, 3 * hour), calendar.instantOf(today, 3 * hour + 20 * minute));
    yield* emit(completePortfolioSummaries(cell, { on: today, count: random.integer(1, 400) }));
  },
});
