import { MalformedMessage } from './reader.js';

/**
 * A larger buffer has this many times the bytes that have arrived, so that a frame of a megabyte is copied twice, not five
 * times. The system backs only the bytes that are written by memory.
 */
const GROWTH = 8;

/**
 * Splits a byte stream into frames (four bytes of length, then the message). Checks a length before allocating, and
 * allocates for the bytes that have arrived, not for the announced length.
 */
export class FrameSplitter {
  /** The maximum length of a frame in bytes; may change between frames. */
  maxFrameBytes: number;
  #partial: Buffer = Buffer.allocUnsafe(0);
  #filled = 0;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Bytes of the incomplete frame. */
  get bufferedBytes(): number {
    return this.#filled;
  }

  /**
   * Yields each frame that `chunk` completes, without its length. A frame may be a view of the chunk.
   *
   * @throws {MalformedMessage} if a length is negative or above `maxFrameBytes`
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
      const frame = this.#takeComplete();
      if (frame) yield frame;
    }
  }

  /** Adds bytes to the incomplete frame until it is complete. Returns the remaining bytes. */
  #collect(bytes: Buffer): Buffer {
    const size = this.#sizeOf(this.#partial.subarray(0, this.#filled));
    const lacking = (size === undefined ? 4 : 4 + size) - this.#filled;
    const added = Math.min(lacking, bytes.length);
    const needed = this.#filled + added;
    if (needed > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(64, Math.min(GROWTH * needed, this.#filled + lacking)));
      this.#partial.copy(larger, 0, 0, this.#filled);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#filled, 0, added);
    this.#filled = needed;
    return bytes.subarray(added);
  }

  #takeComplete(): Buffer | undefined {
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
      throw new MalformedMessage(
        `a frame of ${size} bytes is announced, 0 to ${this.maxFrameBytes} are allowed`,
      );
    }
    return size;
  }
}
