/**
 * Writes wire primitives into a growing buffer. Large slices of the log are not copied, so the result is a list of
 * buffers.
 */
export class Writer {
  #parts: Buffer[] = [];
  #partsLength = 0;
  #buffer: Buffer;
  #start = 0;
  #position = 0;

  constructor(initialBytes = 256) {
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#partsLength + this.#position - this.#start;
  }

  boolean(value: boolean): void {
    this.int8(value ? 1 : 0);
  }

  int8(value: number): void {
    const at = this.#grow(1);
    this.#buffer.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#grow(2);
    this.#buffer.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#grow(4);
    this.#buffer.writeInt32BE(value, at);
  }

  int64(value: number): void {
    const at = this.#grow(8);
    this.#buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
    this.#buffer.writeUInt32BE(
      value >= 0 ? value % 0x1_0000_0000 : Number(BigInt.asUintN(32, BigInt(value))),
      at + 4,
    );
  }

  float64(value: number): void {
    const at = this.#grow(8);
    this.#buffer.writeDoubleBE(value, at);
  }

  unsignedVarint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.#byte(rest);
  }

  uuid(value: string): void {
    const at = this.#grow(16);
    this.#buffer.write(value, at, 16, 'base64url');
  }

  /** Writes characters without their length. */
  utf8(value: string, byteLength: number): void {
    const at = this.#grow(byteLength);
    this.#buffer.write(value, at, 'utf8');
  }

  bytes(value: Buffer): void {
    const at = this.#grow(value.length);
    value.copy(this.#buffer, at);
  }

  /** Writes bytes without copying a large value, which must never change afterwards. */
  uncopied(value: Buffer): void {
    if (value.length < 1024) {
      this.bytes(value);
      return;
    }
    this.#closePart();
    this.#parts.push(value);
    this.#partsLength += value.length;
  }

  /** Returns the written bytes, in order. The writer must not be used afterwards. */
  finish(): Buffer[] {
    this.#closePart();
    return this.#parts;
  }

  #byte(value: number): void {
    const at = this.#grow(1);
    this.#buffer[at] = value;
  }

  #closePart(): void {
    if (this.#position === this.#start) return;
    this.#parts.push(this.#buffer.subarray(this.#start, this.#position));
    this.#partsLength += this.#position - this.#start;
    this.#start = this.#position;
  }

  /** Makes room and returns the position to write at. It may replace the buffer, so call it first. */
  #grow(bytes: number): number {
    const at = this.#position;
    const end = at + bytes;
    if (end > this.#buffer.length) {
      const used = at - this.#start;
      const larger = Buffer.allocUnsafe(Math.max(256, 2 * used, 2 * bytes) + bytes);
      this.#buffer.copy(larger, 0, this.#start, at);
      this.#buffer = larger;
      this.#start = 0;
      this.#position = used + bytes;
      return used;
    }
    this.#position = end;
    return at;
  }
}
