import type { EventType } from 'busbar/catalogue';
import { comparing } from './comparing.js';
import type { StreamEvent, StreamInvariant } from './invariant.js';

interface Beginning {
  readonly name: string;
  readonly statement: string;
  readonly entity: string;
  /** The type of event that creates an entity. */
  readonly created: EventType;
  /** Returns the identifiers of the entities that an event mentions. */
  readonly mentions: (event: StreamEvent) => readonly (string | undefined)[];
}

/** Creates the invariant that no event mentions an entity before its creation. */
export function beginning({ created, mentions, ...rule }: Beginning): StreamInvariant {
  return comparing<Life>({
    ...rule,
    of: mentions,
    see({ type }, before, at) {
      const life: Life = before ?? { first: type, at };
      if (type !== created) return { keep: life };
      const { first, born = at } = life;
      const isLate = life.born === undefined && life.at < at;
      const late = isLate && `is created after "${first}" mentioned it`;
      return { keep: { ...life, born }, what: born === at ? late : 'is created again' };
    },
  });
}

interface Life {
  /** Type and time of the first event that mentioned it. */
  readonly first: string;
  readonly at: number;
  /** Time of its creation, if it is in the stream. */
  readonly born?: number;
}
