import { MalformedMessage } from './reader.js';

/**
 * Cuts a byte stream into frames (four bytes of length, then the message). A length is checked before anything
 * is allocated for it, and memory grows with the bytes that have arrived, not with what the length promises.
 */
export class FrameSplitter {
  /** The longest frame that is accepted, in bytes; may be changed between frames. */
  maxFrameBytes: number;
  #partial: Buffer = Buffer.allocUnsafe(0);
  #filled = 0;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Bytes of the frame that has not arrived whole yet. */
  get bufferedBytes(): number {
    return this.#filled;
  }

  /**
   * Yields every frame that `chunk` completes, without its length. A frame may be a view of the chunk.
   *
   * @throws {MalformedMessage} when a length is negative or above `maxFrameBytes`
   */
  *push(chunk: Buffer): Generator<Buffer> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#filled === 0) {
        const size = this.#sizeOf(rest);
        if (size !== undefined && rest.length >= 4 + size) {
          const frame = rest.subarray(4, 4 + size);
          rest = rest.subarray(4 + size);
          yield frame;
          continue;
        }
      }
      rest = this.#collect(rest);
      const whole = this.#takeWhole();
      if (whole) yield whole;
    }
  }

  /** Adds to the partial frame at most what the frame lacks; returns what is left. */
  #collect(bytes: Buffer): Buffer {
    const size = this.#sizeOf(this.#partial.subarray(0, this.#filled));
    const lacking = (size === undefined ? 4 : 4 + size) - this.#filled;
    const taken = Math.min(lacking, bytes.length);
    const needed = this.#filled + taken;
    if (needed > this.#partial.length) {
      // Doubling copies each byte about once more, and never holds more than twice what has arrived.
      const larger = Buffer.allocUnsafeSlow(Math.max(64, Math.min(2 * needed, this.#filled + lacking)));
      this.#partial.copy(larger, 0, 0, this.#filled);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#filled, 0, taken);
    this.#filled = needed;
    return bytes.subarray(taken);
  }

  #takeWhole(): Buffer | undefined {
    const size = this.#sizeOf(this.#partial.subarray(0, this.#filled));
    if (size === undefined || this.#filled < 4 + size) return undefined;
    const frame = this.#partial.subarray(4, 4 + size);
    this.#partial = Buffer.allocUnsafe(0);
    this.#filled = 0;
    return frame;
  }

  #sizeOf(bytes: Buffer): number | undefined {
    if (bytes.length < 4) return undefined;
    const size = bytes.readInt32BE(0);
    if (size < 0 || size > this.maxFrameBytes) {
      throw new MalformedMessage(`a frame claims ${size} bytes; accepted are 0 to ${this.maxFrameBytes}`);
    }
    return size;
  }
}
