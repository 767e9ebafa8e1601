import type { EventType } from 'busbar/catalogue';
import { type Finding, noFindings, type StreamEvent, type StreamInvariant } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { occurred } from './payload.js';

interface Beginning {
  readonly name: string;
  readonly statement: string;
  readonly entity: string;
  /** The type of event that creates an entity. */
  readonly created: EventType;
  /** Returns the identifiers of the entities that an event mentions. */
  readonly mentions: (event: StreamEvent) => readonly (string | undefined)[];
}

/**
 * Creates the invariant that no event mentions an entity before its creation. It compares the times of occurrence,
 * because events with different keys arrive in any order.
 */
export function beginning(rule: Beginning): StreamInvariant {
  const { name, statement, created } = rule;
  return {
    name,
    statement,
    proof: 'stream',
    start() {
      const lives = new BoundedMap<Life>();
      return {
        see(event) {
          const ids = new Set(rule.mentions(event).filter((id) => id !== undefined));
          if (ids.size === 0) return noFindings;
          const at = occurred(event);
          return [...ids].flatMap((id) => {
            const life = lives.get(id) ?? { first: { type: event.type }, at };
            lives.set(id, event.type === created ? { ...life, born: life.born ?? at } : life);
            const what = objection(life, event, at);
            return what === undefined ? noFindings : [{ event, entity: `${rule.entity} "${id}"`, what }];
          });
        },
      };
    },
  };

  function objection(life: Life, event: StreamEvent, at: number): Finding['what'] | undefined {
    const { born, first } = life;
    if (event.type !== created)
      return born !== undefined && at < born ? 'is mentioned before its creation' : undefined;
    if (born !== undefined && born !== at) return 'is created again';
    return life.at < at ? `is created after "${first.type}" mentioned it` : undefined;
  }
}

interface Life {
  /** The first event that mentioned it, and its time. */
  readonly first: Pick<StreamEvent, 'type'>;
  readonly at: number;
  /** Time of its creation, if it is in the stream. */
  readonly born?: number;
}
