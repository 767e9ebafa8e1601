import type { Truth } from './truth.js';

/** An event of a stream, independent of its transport. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly payload: unknown;
  /** Partition key, if known. */
  readonly key?: string | undefined;
}

/** A property of every stream of the platform, even if it is filtered, split, duplicated or delayed. */
export type Invariant = StreamInvariant | WorldInvariant;

interface Named {
  /** In kebab-case. */
  readonly name: string;
  /** The property in one or two sentences. */
  readonly statement: string;
}

/** An invariant that needs only the events of the stream. */
export interface StreamInvariant extends Named {
  readonly proof: 'stream';
  start(): Watch;
}

/** An invariant that needs the ground truth: facts that no event contains. */
export interface WorldInvariant extends Named {
  readonly proof: 'world';
  start(truth: Truth): Watch;
}

/** The validation of one stream against one invariant. Its memory is bounded. */
export interface Watch {
  /** Adds an event and returns its findings. Events arrive once each, sorted by time of occurrence. */
  see(event: StreamEvent): readonly Finding[];
  /** Returns the findings at the end of the stream. `complete` means that all processes in the stream have ended. */
  end?(complete: boolean): readonly Finding[];
}

/** A violation of an invariant. */
export interface Finding {
  /** The event that violates the invariant. */
  readonly event: StreamEvent;
  /** Kind and identifier, for example `dunning process "0190..."`: never a name, an address or a meter point. */
  readonly entity: string;
  /** The problem, without payload values. */
  readonly what: string;
  /**
   * Whether the finding holds for a stream from which types of events may have been filtered out. `carries` reports
   * whether the stream has events of a type. Absent if filtering cannot cause the finding.
   */
  readonly certain?: (carries: Carries) => boolean;
}

export type Carries = (type: string) => boolean;

export const noFindings: readonly Finding[] = [];

/** Makes a finding hold only if the stream has events of all these types. */
export function unlessFiltered(...types: readonly string[]): (carries: Carries) => boolean {
  return (carries) => types.every(carries);
}
