import { after } from '../../engine/scenario.js';
import { receiveDuosInvoice } from '../../world/changes/platform.js';
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
