import type { RecordHeaders } from './transport.js';

/** Headers as people write them: an object, or pairs where a name may repeat. Text becomes UTF-8. */
export type HeaderInput =
  | Readonly<Record<string, string | Uint8Array>>
  | Iterable<readonly [name: string, value: string | Uint8Array]>;

/** {@link RecordHeaders} over a list that is in memory. */
export function recordHeaders(input: HeaderInput = []): RecordHeaders {
  const pairs = Symbol.iterator in input ? input : Object.entries(input);
  return new HeaderList(Array.from(pairs, ([name, value]) => [name, toBytes(value)] as const));
}

class HeaderList implements RecordHeaders {
  readonly #pairs: readonly (readonly [name: string, value: Uint8Array])[];

  constructor(pairs: readonly (readonly [name: string, value: Uint8Array])[]) {
    this.#pairs = pairs;
  }

  get(name: string): Uint8Array | undefined {
    for (let at = this.#pairs.length - 1; at >= 0; at--) {
      const pair = this.#pairs[at];
      if (pair?.[0] === name) return pair[1];
    }
    return undefined;
  }

  [Symbol.iterator](): IterableIterator<readonly [name: string, value: Uint8Array]> {
    return this.#pairs[Symbol.iterator]();
  }
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value) : value;
}
