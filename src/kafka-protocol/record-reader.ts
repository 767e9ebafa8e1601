/** Reads numbers and bytes of records, one after the other. */
export class RecordReader {
  readonly buffer: Buffer;
  /** The next position; beyond the end after a read of corrupt bytes. */
  at: number;
  readonly end: number;

  constructor(buffer: Buffer, at: number, end: number) {
    this.buffer = buffer;
    this.at = at;
    this.end = end;
  }

  /** Reads a zigzag varint of at most ten bytes, exact up to 2^53. Beyond the buffer, bytes count as 0. */
  varint(): number {
    const { buffer } = this;
    const first = buffer[this.at++] as number;
    // Most lengths and deltas take one byte or two.
    if (first < 0x80) return (first >>> 1) ^ -(first & 1);
    let byte = buffer[this.at++] as number;
    let value = (first & 0x7f) | ((byte & 0x7f) << 7);
    if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    let scale = 0x4000;
    do {
      byte = buffer[this.at++] as number;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80 && scale < 2 ** 70);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads a length and returns a view of that many bytes; null for a negative length. */
  bytes(): Buffer | null {
    const length = this.varint();
    if (length < 0) return null;
    const begin = this.at;
    this.at += length;
    return this.buffer.subarray(begin, this.at);
  }
}

/** Returns eight bytes as a number, exact up to 2^53. */
export function int64At(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) * 0x1_0000_0000 + buffer.readUInt32BE(at + 4);
}
