import type { WorldView } from '../platform-api/world-view.js';
import type { Session } from '../run/session.js';
import { type WorldAt, worldAt } from '../run/world-at.js';

/** The world of whatever run the session has got to. */
export function sessionWorld(session: () => Session): WorldView {
  let generation: number | undefined;
  let world: WorldAt | undefined;
  const present = () => {
    if (world === undefined || generation !== session().generation) {
      ({ generation } = session());
      world = worldAt(() => session().plan);
    }
    return world;
  };
  const now = () => session().run.now;
  return {
    seed: () => session().plan.seed ?? 1,
    now,
    accountAt: (number, at = now()) => present().accountAt(number, at),
    instantOf: (eventId) => present().instantOf(eventId),
  };
}
