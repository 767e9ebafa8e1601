/** The bytes aren't a valid message. Later bytes cannot be interpreted, so the connection is closed. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/**
 * Reads wire primitives within bounds. It compares each length with the available bytes before it allocates, and limits
 * the array elements of a message: an element of one byte may need a hundred in memory.
 */
export class Reader {
  position: number;
  readonly buffer: Buffer;
  #elementsLeft: number;

  constructor(buffer: Buffer, { position = 0, maxElements = 100_000 } = {}) {
    this.buffer = buffer;
    this.position = position;
    this.#elementsLeft = maxElements;
  }

  get remaining(): number {
    return this.buffer.length - this.position;
  }

  boolean(): boolean {
    return this.int8() !== 0;
  }

  int8(): number {
    return this.buffer.readInt8(this.#take(1));
  }

  int16(): number {
    return this.buffer.readInt16BE(this.#take(2));
  }

  int32(): number {
    return this.buffer.readInt32BE(this.#take(4));
  }

  int64(): number {
    const at = this.#take(8);
    return this.buffer.readInt32BE(at) * 0x1_0000_0000 + this.buffer.readUInt32BE(at + 4);
  }

  float64(): number {
    return this.buffer.readDoubleBE(this.#take(8));
  }

  /** Reads at most five bytes and at most 2^31 - 1, the maximum length. */
  unsignedVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.buffer.readUInt8(this.#take(1));
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0x7fff_ffff) break;
        return value;
      }
    }
    throw new MalformedMessage('a variable-length integer is longer than 31 bits');
  }

  uuid(): string {
    const at = this.#take(16);
    return this.buffer.toString('base64url', at, at + 16);
  }

  string(length: number): string {
    if (length > 0x7fff) throw new MalformedMessage(`a string of ${length} bytes is longer than 32,767`);
    const at = this.#take(length);
    return this.buffer.toString('utf8', at, at + length);
  }

  /** Returns a view, not a copy. */
  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.buffer.subarray(at, at + length);
  }

  /** Checks the length of an array before it is allocated. */
  elements(length: number): number {
    if (length < 0) throw new MalformedMessage(`an array has the negative length ${length}`);
    if (length > this.remaining) {
      throw new MalformedMessage(
        `an array of ${length} elements is announced but ${this.remaining} bytes are left`,
      );
    }
    this.#elementsLeft -= length;
    if (this.#elementsLeft < 0)
      throw new MalformedMessage('the arrays of one request have too many elements');
    return length;
  }

  /** Skips the tagged fields of a structure that defines none (KIP-482). */
  skipTaggedFields(): void {
    for (let left = this.elements(this.unsignedVarint()); left > 0; left -= 1) {
      this.unsignedVarint();
      this.skip(this.unsignedVarint());
    }
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    const at = this.position;
    if (length < 0) throw new MalformedMessage(`a length is negative: ${length}`);
    if (length > this.buffer.length - at) {
      throw new MalformedMessage(
        `${length} bytes are announced at ${at} but ${this.buffer.length - at} are left`,
      );
    }
    this.position = at + length;
    return at;
  }
}
