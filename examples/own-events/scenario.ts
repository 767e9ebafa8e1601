import { after, defineScenario, emit } from 'busbar-emulator';

/** A scenario that sends your own events, next to those of the catalogue. */
export const announcedMove = defineScenario({
  name: 'announced-move',
  title: 'A customer announces a move',
  description: 'A customer announces a move to another home, and completes it two weeks later.',
  branches: {},
  *run({ cell: { account } }) {
    const holder = { number: account.number, external_reference: account.number };
    const announced = {
      account: holder,
      supply_points: [{ id: '1', industry: 'GAS' }],
      moves_on: '2026-04-01',
    };
    yield* emit('house_move.announced', 'v1', announced, { key: account.number });
    yield* after({ days: 14 });
    const completed = { account: holder, moved_on: '2026-04-01', reason: 'sold' } as const;
    yield* emit('house_move.completed', 'v1', completed, { key: account.number });
  },
});
