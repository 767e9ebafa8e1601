import { after } from '../../engine/scenario.js';
import { cancelIssue, openIssue } from '../../world/industry/readings.js';
import { presentSupplies } from '../../world/supplies.js';
import { issueSources } from '../../world/industry/reading-words.js';
import { defineScenario, emit } from '../define.js';

export const meterDataQuality = defineScenario({
  name: 'meter-data-quality',
  title: 'Something is wrong with the readings of a supply point',
  description:
    'A nightly check finds readings of a period that cannot be right, and asks an agent to look. Nearly half of ' +
    'the requests are cancelled: later readings explain the earlier ones, or an agent closes the issue.',
  rate: 30,
  starts: 'night',
  branches: { resolution: { awaited: 0.55, cancelled: 0.45 } },
  *run({ cell, branch, random }) {
    const supplies = presentSupplies(cell);
    if (supplies.length === 0) return;
    const { account, supplyPoint, from: supplied } = random.pick(supplies);
    const to = cell.today - random.integer(1, 3);
    const from = Math.max(supplied, to - random.integer(1, 35));
    // A supply that began yesterday has no readings yet.
    if (from >= to) return;
    const { issue, requested } = openIssue(cell, account, { supplyPoint, from, to, random });
    yield* emit(requested);
    if (branch.resolution === 'awaited') return;
    const source = random.weighted(issueSources);
    yield* after({ days: 1 }, { days: 20 }, source === 'AUTOMATIC' ? 'night' : 'office');
    yield* emit(cancelIssue(issue, source));
  },
});
