import type { Check } from './check.js';

export const rebalanceCheck: Check = {
  name: 'rebalance',
  title: 'processes that join and leave the group lose nothing',
  comparesStates: true,
  overTheWire: {
    whyNot: ({ group }) => (group === null ? 'The service has no consumer group.' : undefined),
    parts: ({ world }) => [
      {
        sharing: 'alone',
        experiments: (['leaves', 'is killed', 'freezes'] as const).map((member) => {
          const about = `a second process that joins and ${member}`;
          return { label: about, about, deliveries: world.deliveries, fault: { member } };
        }),
      },
    ],
  },
};
