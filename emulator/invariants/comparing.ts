import { BoundedMap } from './bounded-map.js';
import {
  type Finding,
  noFindings,
  type StreamEvent,
  type StreamInvariant,
  type Watch,
  type WorldInvariant,
} from './invariant.js';
import { occurred } from './payload.js';
import type { Truth } from './truth.js';

interface Comparison<State, Facts> {
  readonly name: string;
  readonly statement: string;
  /** Kind of the entity, for example `dunning process`. */
  readonly entity: string;
  /** Returns the identifiers of the event's entities, or undefined for an event that does not matter. */
  readonly of: (event: StreamEvent, facts: Facts) => string | readonly (string | undefined)[] | undefined;
  /** Compares an event with what is remembered of its entity. */
  readonly see: (
    event: StreamEvent,
    before: State | undefined,
    at: number,
    facts: Facts,
  ) => Conclusion<State>;
  /** Returns the problem of an entity at the end of a complete stream. `latest` is the time of the stream's last event. */
  readonly end?: (last: State, latest: number) => Pick<Finding, 'event' | 'what' | 'certain'> | undefined;
}

/** Memory of the entity, and the problem if there is one. Without `keep`, nothing changes. */
interface Conclusion<State> extends Partial<Pick<Finding, 'entity' | 'certain'>> {
  /** Undefined forgets the entity. */
  readonly keep?: State | undefined;
  readonly what?: string | false | undefined;
}

/**
 * Creates an invariant that compares each event of an entity with those before it. Events that came too late for sorting
 * are ignored.
 */
export function comparing<State>(rule: Comparison<State, undefined>): StreamInvariant {
  const { name, statement } = rule;
  return { name, statement, proof: 'stream', start: () => watch(rule, undefined) };
}

/** As `comparing()`, with the ground truth. */
export function comparingWithTruth<State>(rule: Comparison<State, Truth>): WorldInvariant {
  const { name, statement } = rule;
  return { name, statement, proof: 'world', start: (truth) => watch(rule, truth) };
}

function watch<State, Facts>(rule: Comparison<State, Facts>, facts: Facts): Watch {
  const known = new BoundedMap<{ readonly state: State; readonly at: number }>();
  const nameOf = (id: string) => `${rule.entity} "${id}"`;
  let latest = 0;
  function compare(event: StreamEvent, at: number, id: string | undefined): readonly Finding[] {
    const before = id === undefined ? undefined : known.get(id);
    if (id === undefined || (before !== undefined && at < before.at)) return noFindings;
    const conclusion = rule.see(event, before?.state, at, facts);
    if (conclusion.keep !== undefined) known.set(id, { state: conclusion.keep, at });
    else if ('keep' in conclusion) known.forget(id);
    const { what, entity = nameOf(id), certain } = conclusion;
    return what ? [{ event, entity, what, ...(certain && { certain }) }] : noFindings;
  }
  return {
    see(event) {
      const of = rule.of(event, facts);
      if (of === undefined && rule.end === undefined) return noFindings;
      const at = occurred(event);
      latest = Math.max(latest, at);
      if (typeof of !== 'object') return compare(event, at, of);
      return [...new Set(of)].flatMap((id) => compare(event, at, id));
    },
    end(complete) {
      return [...(complete ? known.entries() : [])].flatMap(([id, { state }]) => {
        const problem = rule.end?.(state, latest);
        return problem === undefined ? noFindings : [{ entity: nameOf(id), ...problem }];
      });
    },
  };
}
