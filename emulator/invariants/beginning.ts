import type { EventType } from '../../catalogue/index.js';
import { type Finding, fine, type StreamEvent, type StreamInvariant } from './invariant.js';
import { Memory } from './memory.js';
import { occurred } from './payload.js';

export interface Beginning {
  readonly name: string;
  readonly statement: string;
  readonly entity: string;
  /** The type of event with which it comes into being. */
  readonly created: EventType;
  /** Identifiers of those of its kind that an event names. */
  readonly mentions: (event: StreamEvent) => readonly (string | undefined)[];
}

/**
 * The invariant that nothing is said about an entity before its creation. Told by when events occurred, so that the
 * order in which they arrive, with different keys, does not matter.
 */
export function beginning(rule: Beginning): StreamInvariant {
  const { name, statement, created } = rule;
  return {
    name,
    statement,
    proof: 'stream',
    start() {
      const lives = new Memory<Life>();
      return {
        see(event) {
          const ids = new Set(rule.mentions(event).filter((id) => id !== undefined));
          if (ids.size === 0) return fine;
          const at = occurred(event);
          return [...ids].flatMap((id) => {
            const life = lives.get(id) ?? { first: { type: event.type }, at };
            lives.set(id, event.type === created ? { ...life, born: life.born ?? at } : life);
            const what = objection(life, event, at);
            return what === undefined ? fine : [{ event, entity: `${rule.entity} "${id}"`, what }];
          });
        },
      };
    },
  };

  function objection(life: Life, event: StreamEvent, at: number): Finding['what'] | undefined {
    const { born, first } = life;
    if (event.type !== created) return born !== undefined && at < born ? 'is not there yet' : undefined;
    if (born !== undefined && born !== at) return 'is there already';
    return life.at < at ? `is created after "${first.type}" was said of it` : undefined;
  }
}

interface Life {
  /** The first event that named it, and when. */
  readonly first: Pick<StreamEvent, 'type'>;
  readonly at: number;
  /** When it was created, if that was seen. */
  readonly born?: number;
}
