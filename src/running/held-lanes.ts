/**
 * Decides whether a lane's records go to the dead letters, because an earlier one of the lane is there: the order of
 * a key must not go on without it. Asked before each event is handled.
 */
export interface LaneHold {
  /** Whether anything is held: spares asking for keys as long as nothing is. */
  readonly isActive: boolean;
  isHeld(lane: string | null): boolean;
  /** A record of the lane was set aside. */
  hold(lane: string | null): void;
}

/** Holds lanes for as long as the partition is this consumer's; one key costs what its text does. */
export function heldInMemory(): LaneHold {
  const held = new Set<string | null>();
  return {
    get isActive() {
      return held.size > 0;
    },
    isHeld: (lane) => held.has(lane),
    hold: (lane) => void held.add(lane),
  };
}

/** For what goes on after a dead letter. */
export const neverHeld: LaneHold = { isActive: false, isHeld: () => false, hold: () => undefined };
