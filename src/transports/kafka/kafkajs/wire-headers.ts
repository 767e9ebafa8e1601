import type { RecordHeaders } from '../../transport.js';
import type { WireReader } from './wire-reader.js';

/**
 * The headers of a record where they lie: a name is looked for each time, and nothing is decoded but the value that is
 * found. All headers of a batch share its reader.
 */
export class WireHeaders implements RecordHeaders {
  readonly #reader: WireReader;
  readonly #begin: number;
  readonly #end: number;

  constructor(reader: WireReader, begin: number, end: number) {
    this.#reader = reader;
    this.#begin = begin;
    this.#end = end;
  }

  get(name: string): Uint8Array | undefined {
    const wanted = bytesOf(name);
    const reader = this.#reader;
    const { buffer } = reader;
    let found = -1;
    reader.at = this.#begin;
    for (let left = reader.varint(); left > 0 && reader.at < this.#end; left--) {
      const length = reader.varint();
      const at = reader.at;
      reader.at += length;
      if (length === wanted.length && isSame(buffer, at, wanted)) found = reader.at;
      const size = reader.varint();
      if (size > 0) reader.at += size;
    }
    if (found === -1) return undefined;
    reader.at = found;
    return reader.bytes() ?? none;
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Uint8Array]> {
    const reader = this.#reader;
    reader.at = this.#begin;
    for (let left = reader.varint(); left > 0 && reader.at < this.#end; left--) {
      const name = reader.bytes() ?? none;
      const value = reader.bytes() ?? none;
      const next = reader.at;
      yield [name.toString(), value];
      // Others may have read meanwhile.
      reader.at = next;
    }
  }
}

/** A header without a value counts as an empty one. */
const none = Buffer.alloc(0);

/** Few names are ever looked for. */
const names = new Map<string, Buffer>();
const maxNames = 256;

function bytesOf(name: string): Buffer {
  let bytes = names.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(name);
    if (names.size < maxNames) names.set(name, bytes);
  }
  return bytes;
}

/** From the end: names that are as long as others mostly begin like them. */
function isSame(buffer: Buffer, at: number, name: Buffer): boolean {
  for (let n = name.length - 1; n >= 0; n--) if (buffer[at + n] !== name[n]) return false;
  return true;
}
