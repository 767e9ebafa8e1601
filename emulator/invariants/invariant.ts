import type { Truth } from './truth.js';

/** An event as it is read from a stream, whatever carried it. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly payload: unknown;
  /** Partition key, where it is known. */
  readonly key?: string | undefined;
}

/** Something that must hold over every stream of the platform, however it is filtered, split, doubled or delayed. */
export type Invariant = StreamInvariant | WorldInvariant;

interface Named {
  /** In kebab-case. */
  readonly name: string;
  /** One sentence: what holds. */
  readonly statement: string;
}

/** What the events themselves prove. */
export interface StreamInvariant extends Named {
  readonly proof: 'stream';
  start(): Watch;
}

/** What can only be told with facts that no event carries. */
export interface WorldInvariant extends Named {
  readonly proof: 'world';
  start(truth: Truth): Watch;
}

/** An invariant being held against one stream. Keeps a bounded amount for each of a bounded number of entities. */
export interface Watch {
  /** Takes the next event, in the order in which events occurred, each once. */
  see(event: StreamEvent): readonly Finding[];
  /** `complete` tells that the stream went on to the end of all that had begun. */
  end?(complete: boolean): readonly Finding[];
}

/** Something that an invariant does not allow. */
export interface Finding {
  /** The event that should not be, or not like this. */
  readonly event: StreamEvent;
  /** Kind and identifier, as `dunning process "0190..."`: never a name, an address or a meter point. */
  readonly entity: string;
  /** What is wrong, without values of the payload. */
  readonly what: string;
  /**
   * Whether it still is wrong when the stream may lack all events of some types: `carries` tells which types it has.
   * Absent where nothing that was left out could make it right.
   */
  readonly certain?: (carries: Carries) => boolean;
}

export type Carries = (type: string) => boolean;

/** Nothing to object to. */
export const fine: readonly Finding[] = [];

/** A finding that holds as long as the stream has events of all these types: none of them was filtered out. */
export function unlessFiltered(...types: readonly string[]): (carries: Carries) => boolean {
  return (carries) => types.every(carries);
}
