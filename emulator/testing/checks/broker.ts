import { grouped } from 'busbar/base';
import type { FaultRule } from '../../broker/faults/rules.js';
import { type CheckInput, chooser } from '../service/experiment.js';
import type { Check } from './check.js';

type Rule = Omit<FaultRule, 'group'> & { readonly rejoins?: boolean };

/**
 * Errors and cuts that a broker shows in production, and that a client must recover from by itself. UNKNOWN_MEMBER_ID is
 * absent: a rule would leave the member in the group, which then waits for it until its session ends.
 */
const rules: readonly Rule[] = [
  { on: 'OffsetCommit', error: 'NOT_COORDINATOR', times: 1 },
  { on: 'OffsetCommit', error: 'COORDINATOR_LOAD_IN_PROGRESS', times: 1 },
  { on: 'OffsetCommit', error: 'REBALANCE_IN_PROGRESS', times: 1, rejoins: true },
  { on: 'OffsetCommit', cut: 'answer', times: 1 },
  { on: 'Fetch', error: 'NOT_LEADER_OR_FOLLOWER', times: 2 },
  { on: 'Fetch', cut: 'before', times: 1 },
  { on: 'Fetch', cut: 'answer', times: 1 },
  { on: 'Fetch', delay: '200ms', times: 3 },
  { on: 'Heartbeat', error: 'REBALANCE_IN_PROGRESS', times: 1 },
  { on: 'JoinGroup', error: 'NOT_COORDINATOR', times: 1, rejoins: true },
  { on: 'SyncGroup', error: 'REBALANCE_IN_PROGRESS', times: 1, rejoins: true },
];

export const brokerCheck: Check = {
  name: 'broker',
  title: 'errors of the broker lose nothing',
  comparesStates: true,
  overTheWire: {
    // Two processes, because clients wait for their timers.
    parts: (input) =>
      [
        ...grouped(experimentsOf(input), ({ fault }) =>
          ['Fetch', 'OffsetCommit'].includes(fault.broker.rule.on),
        ).values(),
      ].map((experiments) => ({ sharing: 'waves', experiments })),
  },
};

function experimentsOf(input: CheckInput) {
  const { group } = input.contract;
  const choose = chooser(input);
  return rules
    .filter(({ on }) => group !== null || on === 'Fetch')
    .flatMap(({ rejoins = false, ...rule }) => {
      const chosen = choose();
      if (chosen === undefined) return [];
      const about = `${rule.on}: ${rule.error ?? (rule.cut === undefined ? 'delay' : `cut, ${rule.cut}`)}`;
      const scope = rule.on === 'Fetch' || group === null ? {} : { group };
      const fault = { broker: { rule: { ...rule, ...scope }, rejoins } };
      return [{ label: about, about, deliveries: chosen.deliveries, fault }];
    });
}
