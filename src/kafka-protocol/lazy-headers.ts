import { NO_BYTES } from './fields.js';
import type { RecordReader } from './record-reader.js';

/**
 * The headers of a record, decoded on access: `get` searches their bytes each time. All headers of a batch share its
 * reader.
 */
export class LazyHeaders implements Iterable<readonly [name: string, value: Uint8Array]> {
  readonly #reader: RecordReader;
  readonly #begin: number;
  readonly #end: number;

  constructor(reader: RecordReader, begin: number, end: number) {
    this.#reader = reader;
    this.#begin = begin;
    this.#end = end;
  }

  /** Returns the last value of a name. A header without a value has an empty one. */
  get(name: string): Uint8Array | undefined {
    const wanted = bytesOf(name);
    const reader = this.#reader;
    const { buffer } = reader;
    let found = -1;
    reader.at = this.#begin;
    for (let left = reader.varint(); left > 0 && reader.at < this.#end; left -= 1) {
      const length = reader.varint();
      const at = reader.at;
      reader.at += length;
      if (length === wanted.length && isSame(buffer, at, wanted)) found = reader.at;
      const size = reader.varint();
      if (size > 0) reader.at += size;
    }
    if (found === -1) return undefined;
    reader.at = found;
    return reader.bytes() ?? NO_BYTES;
  }

  /** Returns several headers as text, like `get()`, in one search. */
  texts(wanted: readonly string[]): (string | undefined)[] {
    const encoded = wanted.map(bytesOf);
    const found = Array<string | undefined>(wanted.length).fill(undefined);
    const reader = this.#reader;
    const { buffer } = reader;
    reader.at = this.#begin;
    for (let left = reader.varint(); left > 0 && reader.at < this.#end; left -= 1) {
      const length = reader.varint();
      const begin = reader.at;
      reader.at += length;
      const size = Math.max(0, reader.varint());
      const at = reader.at;
      reader.at += size;
      const nth = encoded.findIndex((name) => name.length === length && isSame(buffer, begin, name));
      if (nth !== -1) found[nth] = buffer.toString('utf8', at, reader.at);
    }
    return found;
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Uint8Array]> {
    const reader = this.#reader;
    reader.at = this.#begin;
    for (let left = reader.varint(); left > 0 && reader.at < this.#end; left -= 1) {
      const name = reader.bytes() ?? NO_BYTES;
      const value = reader.bytes() ?? NO_BYTES;
      const next = reader.at;
      yield [name.toString(), value];
      // The caller may have used the reader meanwhile.
      reader.at = next;
    }
  }
}

/** Encoded names. A consumer looks for few. */
const names = new Map<string, Buffer>();
const MAX_NAMES = 256;

function bytesOf(name: string): Buffer {
  let bytes = names.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(name);
    if (names.size < MAX_NAMES) names.set(name, bytes);
  }
  return bytes;
}

/** Compares from the end: names of one length mostly share a prefix. */
function isSame(buffer: Buffer, at: number, name: Buffer): boolean {
  for (let n = name.length - 1; n >= 0; n -= 1) if (buffer[at + n] !== name[n]) return false;
  return true;
}
