import type { EventType } from '../../catalogue/index.js';
import { type Carries, type Finding, fine, type StreamEvent, type StreamInvariant } from './invariant.js';
import { Memory } from './memory.js';
import { occurred } from './payload.js';

export interface Lifecycle<State extends string> {
  readonly name: string;
  readonly statement: string;
  /** What goes through it: `dunning process`. */
  readonly entity: string;
  /** Identifier of the entity that the event is about. */
  readonly of: (event: StreamEvent) => string | undefined;
  /** Events with which an entity begins: nothing comes before them. */
  readonly begins: Partial<Record<EventType, State>>;
  /** All other events of it. */
  readonly moves: Partial<Record<EventType, Move<State>>>;
}

/** An event that can happen in the states `from`, and leaves the entity in the state `to`; by default, where it is. */
export interface Move<State extends string> {
  readonly from: readonly State[];
  readonly to?: State;
}

/**
 * The invariant that entities go through their lives in order. An entity that was not seen to begin can be in any
 * state, and every event narrows that down. An event that came too late to be put in order is not judged.
 */
export function lifecycle<State extends string>(life: Lifecycle<State>): StreamInvariant {
  const begins = new Map<string, State>(Object.entries<State>(life.begins as Record<string, State>));
  const moves = new Map<string, Move<State>>(Object.entries(life.moves as Record<string, Move<State>>));
  const states = [...new Set([...begins.values(), ...[...moves.values()].flatMap(statesOf)])];

  function start() {
    const known = new Memory<Known<State>>();
    function see(event: StreamEvent): readonly Finding[] {
      const begin = begins.get(event.type);
      const move = moves.get(event.type);
      const id = begin !== undefined || move !== undefined ? life.of(event) : undefined;
      if (id === undefined) return fine;
      const before = known.get(id);
      const at = occurred(event);
      if (before !== undefined && (at < before.at || isTwin(before, event, at))) return fine;
      const last = { at, type: event.type, version: event.version };
      const entity = `${life.entity} "${id}"`;

      if (begin !== undefined) {
        known.set(id, { ...last, possible: [begin] });
        if (before === undefined) return fine;
        return [{ event, entity, what: `cannot begin after "${before.type}"` }];
      }
      const from = move?.from ?? [];
      const possible = before?.possible ?? states;
      const allowed = possible.filter((state) => from.includes(state));
      const next = move?.to === undefined ? (allowed.length > 0 ? allowed : from) : [move.to];
      known.set(id, { ...last, possible: next });
      if (before === undefined || allowed.length > 0) return fine;
      const certain = (carries: Carries) => !isReachable(possible, from, carries);
      return [{ event, entity, what: `cannot come after "${before.type}"`, certain }];
    }
    return { see };
  }

  /** Whether events of types that the stream does not carry could have led from one of the states to another. */
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

/** Another version of what was seen last, and not something that happened again. */
export function isTwin(last: Last, event: StreamEvent, at: number): boolean {
  return last.type === event.type && last.at === at && last.version !== event.version;
}

function statesOf<State extends string>({ from, to }: Move<State>): readonly State[] {
  return to === undefined ? from : [...from, to];
}
