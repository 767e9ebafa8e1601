import type { EventType } from 'busbar/catalogue';
import { type Carries, type Finding, type Invariant, noFindings, type StreamEvent } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { occurred } from './payload.js';

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
 * any state; every event narrows that down. Events that came too late for sorting are ignored.
 */
export function lifecycle<State extends string>(life: Lifecycle<State>): Invariant {
  const begins = new Map<string, State>(Object.entries<State>((life.begins ?? {}) as Record<string, State>));
  const moves = new Map<string, Move<State>>(Object.entries(life.moves as Record<string, Move<State>>));
  const states = [...new Set([...begins.values(), ...[...moves.values()].flatMap(statesOf)])];

  function start() {
    const known = new BoundedMap<Known<State>>();
    function see(event: StreamEvent): readonly Finding[] {
      const begin = begins.get(event.type);
      const move = moves.get(event.type);
      const id = begin !== undefined || move !== undefined ? life.of(event) : undefined;
      if (id === undefined) return noFindings;
      const before = known.get(id);
      const at = occurred(event);
      if (before !== undefined && (at < before.at || isTwin(before, event, at))) return noFindings;
      const last = { at, type: event.type, version: event.version };
      const entity = `${life.entity} "${id}"`;

      if (begin !== undefined) {
        known.set(id, { ...last, possible: [begin] });
        if (before === undefined) return noFindings;
        return [{ event, entity, what: `cannot begin after "${before.type}"` }];
      }
      const from = move?.from ?? [];
      const possible = before?.possible ?? states;
      const allowed = possible.filter((state) => from.includes(state));
      const next = move?.to === undefined ? (allowed.length > 0 ? allowed : from) : [move.to];
      known.set(id, { ...last, possible: next });
      if (before === undefined || allowed.length > 0) return noFindings;
      const certain = (carries: Carries) => !isReachable(possible, from, carries);
      return [{ event, entity, what: `cannot come after "${before.type}"`, certain }];
    }
    return { see };
  }

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

  return { name: life.name, statement: life.statement, proof: 'stream', start };
}

interface Last {
  readonly at: number;
  readonly type: string;
  readonly version: string;
}

interface Known<State extends string> extends Last {
  readonly possible: readonly State[];
}

/** Whether the event is another version of the last occurrence. */
function isTwin(last: Last, event: StreamEvent, at: number): boolean {
  return last.type === event.type && last.at === at && last.version !== event.version;
}

function statesOf<State extends string>({ from, to }: Move<State>): readonly State[] {
  return to === undefined ? from : [...from, to];
}
