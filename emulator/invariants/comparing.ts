import { BoundedMap } from './bounded-map.js';
import { type Finding, noFindings, type StreamEvent, type StreamInvariant } from './invariant.js';
import { occurred } from './payload.js';

interface Comparison<State> {
  readonly name: string;
  readonly statement: string;
  /** Kind of the entity, for example `dunning process`. */
  readonly entity: string;
  /** Returns the identifier of the event's entity, or undefined for an event that does not matter. */
  readonly of: (event: StreamEvent) => string | undefined;
  /** Compares an event with what is remembered of its entity. */
  readonly see: (event: StreamEvent, before: State | undefined, at: number) => Conclusion<State>;
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
export function comparing<State>({ name, statement, ...rule }: Comparison<State>): StreamInvariant {
  function start() {
    const known = new BoundedMap<{ readonly state: State; readonly at: number }>();
    const nameOf = (id: string) => `${rule.entity} "${id}"`;
    let latest = 0;
    function see(event: StreamEvent): readonly Finding[] {
      const at = occurred(event);
      latest = Math.max(latest, at);
      const id = rule.of(event);
      const before = id === undefined ? undefined : known.get(id);
      if (id === undefined || (before !== undefined && at < before.at)) return noFindings;
      const { what, entity = nameOf(id), certain, ...rest } = rule.see(event, before?.state, at);
      if (rest.keep !== undefined) known.set(id, { state: rest.keep, at });
      else if ('keep' in rest) known.forget(id);
      return what ? [{ event, entity, what, ...(certain && { certain }) }] : noFindings;
    }
    function end(complete: boolean): readonly Finding[] {
      return [...(complete ? known.entries() : [])].flatMap(([id, { state }]) => {
        const problem = rule.end?.(state, latest);
        return problem === undefined ? noFindings : [{ entity: nameOf(id), ...problem }];
      });
    }
    return { see, end };
  }
  return { name, statement, proof: 'stream', start };
}
