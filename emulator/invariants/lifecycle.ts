import type { EventType } from 'busbar/catalogue';
import { comparing } from './comparing.js';
import type { Carries, StreamEvent, StreamInvariant } from './invariant.js';

interface Lifecycle<State extends string> {
  readonly name: string;
  readonly statement: string;
  /** Kind of the entity, for example `dunning process`. */
  readonly entity: string;
  /** Returns the identifier of the event's entity. */
  readonly of: (event: StreamEvent) => string | undefined;
  /** The first events of an entity, with the state after each. Default none. */
  readonly begins?: Partial<Record<EventType, State>>;
  /** All other events of the entity. */
  readonly moves: Partial<Record<EventType, Move<State>>>;
}

/** An event that is allowed in the states `from` and changes the state to `to`. Default: the state stays the same. */
export interface Move<State extends string> {
  readonly from: readonly State[];
  readonly to?: State;
}

/**
 * Creates the invariant that entities follow a state machine. An entity whose first event is not in the stream can be in
 * any state; every event narrows that down.
 */
export function lifecycle<State extends string>(life: Lifecycle<State>): StreamInvariant {
  const begins = new Map<string, State>(Object.entries<State>((life.begins ?? {}) as Record<string, State>));
  const moves = new Map<string, Move<State>>(Object.entries(life.moves as Record<string, Move<State>>));
  const states = [...new Set([...begins.values(), ...[...moves.values()].flatMap(statesOf)])];

  /** Whether filtered events could have led from one of the possible states to a wanted one. */
  function isReachable(possible: readonly State[], wanted: readonly State[], carries: Carries): boolean {
    const reached = new Set(possible);
    for (const state of reached) {
      if (wanted.includes(state)) return true;
      for (const [type, { from, to }] of moves) {
        if (to !== undefined && from.includes(state) && !carries(type)) reached.add(to);
      }
    }
    return false;
  }

  return comparing<Known<State>>({
    ...life,
    of: (event) => (begins.has(event.type) || moves.has(event.type) ? life.of(event) : undefined),
    see({ type, version }, before, at) {
      // Another version of the last occurrence.
      if (before?.type === type && before.at === at && before.version !== version) return {};
      const begin = begins.get(type);
      if (begin !== undefined) {
        const what = before && `cannot begin after "${before.type}"`;
        return { keep: { at, type, version, possible: [begin] }, what };
      }
      const { from = [], to } = moves.get(type) ?? {};
      const possible = before?.possible ?? states;
      const allowed = possible.filter((state) => from.includes(state));
      const next = to === undefined ? (allowed.length > 0 ? allowed : from) : [to];
      const keep = { at, type, version, possible: next };
      if (before === undefined || allowed.length > 0) return { keep };
      const certain = (carries: Carries) => !isReachable(possible, from, carries);
      return { keep, what: `cannot come after "${before.type}"`, certain };
    },
  });
}

/** The last event of an entity, and the states in which it can be. */
interface Known<State extends string> {
  readonly at: number;
  readonly type: string;
  readonly version: string;
  readonly possible: readonly State[];
}

function statesOf<State extends string>({ from, to }: Move<State>): readonly State[] {
  return to === undefined ? from : [...from, to];
}
