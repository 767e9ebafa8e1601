import { london } from '../engine/calendar.js';
import { type Permutation, permutation } from '../engine/permutation.js';
import { type RandomStream, randomStream } from '../engine/random.js';
import type { Day, Instant } from '../engine/time.js';
import { cellsPerWorld, type Identifiers, identifiers, type NumberKind } from '../world/identifiers.js';

/**
 * What one sample is about: a household of the world with everything that events can say about it. Whoever asks for
 * the same thing twice gets the same answer, so that the fields of a payload agree, and so do the versions of an
 * event.
 */
export interface Subject {
  readonly eventType: string;
  /** The instant at which the event occurs. */
  readonly at: Instant;
  /** The day of that instant in London. */
  readonly today: Day;
  readonly identifiers: Identifiers;
  /** Index of the household in the world with the sampler's seed. */
  readonly cell: number;
  /** Draws something once; later calls with that name get the same. */
  once<T>(name: string, draw: (random: RandomStream) => T): T;
  /** A number of the world, such as `A-1B2C3D4E`. */
  number(kind: NumberKind, nth?: number): string;
  /** A number like those of the world, with a prefix that the world does not have yet. */
  prefixed(prefix: string, nth?: number): string;
  /** A whole-number id of that kind. */
  integer(kind: string, nth?: number): number;
  uuid(name: string): string;
  /** False when every list is to be empty. */
  readonly hasLists: boolean;
  /** What the caller wants in a field at the top of the payload. */
  pinned(field: string): unknown;
}

/** What a sample is about, seen from one of its fields. */
export interface Scene extends Subject {
  /** What the schema asks for there. */
  readonly type: FieldType;
  /** Place of the object, or of the value, in the innermost list; 0 outside of any. */
  readonly index: number;
  /** Name of that list; empty outside of any. */
  readonly list: string;
  /** Random numbers that belong to the field. */
  readonly random: RandomStream;
  /** What the caller wants in a field of the same object, or of the object at another place of the list. */
  given(field: string, place?: number): unknown;
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** What a field holds. A whole number is written in digits where the schema asks for a string. */
export type Rule = (scene: Scene) => unknown;

/** Makes the subjects of a seed: the `nth` is always the same. */
export function subjects(
  seed: number,
): (about: Pick<Subject, 'eventType' | 'at' | 'hasLists' | 'pinned'> & { readonly nth: number }) => Subject {
  const world = identifiers(seed);
  const permutations = new Map<string, Permutation>();
  const permutationOf = (prefix: string) => {
    let found = permutations.get(prefix);
    if (found === undefined) {
      permutations.set(prefix, (found = permutation(2 ** 32, seed, 'sample numbers', prefix)));
    }
    return found;
  };

  return ({ nth, ...about }) => {
    // Cell 0 is the platform itself. Having been through the whole world, samples begin again at its first household.
    const cell = 1 + (nth % (cellsPerWorld - 1));
    const drawn = new Map<string, unknown>();
    const once = <T>(name: string, draw: (random: RandomStream) => T): T => {
      if (!drawn.has(name)) drawn.set(name, draw(randomStream(seed, 'sample', nth, 'fact', name)));
      return drawn.get(name) as T;
    };
    return {
      ...about,
      today: london.dayAt(about.at),
      identifiers: world,
      cell,
      once,
      number: (kind, index = 0) => world.number(kind, cell, index),
      prefixed(prefix, index = 0) {
        const value = permutationOf(prefix).apply(cell * numbersPerSubject + (index % numbersPerSubject));
        return `${prefix}-${value.toString(16).toUpperCase().padStart(8, '0')}`;
      },
      integer: (kind, index = 0) => world.integer(kind, cell, index),
      uuid: (name) => once(`uuid ${name}`, (random) => random.uuid()),
    };
  };
}

/** Numbers with one prefix that a sample can name: the world has room for this many in each of its cells. */
const numbersPerSubject = 256;
