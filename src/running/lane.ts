import { copyRecord } from './copy-record.js';
import type { Work } from './work.js';

/** The records of one key, of which the first is being worked on, waits for its next attempt, or for a slot. */
export class Lane {
  readonly key: string | null;
  head: Work;
  /** Whether its first record is being worked on. */
  isBusy = true;
  /** Cancels the wait for the next attempt, or for a handler that was given up. */
  stopWaiting: (() => void) | undefined;
  #last: Work;

  constructor(key: string | null, first: Work) {
    this.key = key;
    this.head = first;
    this.#last = first;
  }

  append(work: Work): void {
    if (this.stopWaiting !== undefined) keepCopy(work);
    this.#last.next = work;
    this.#last = work;
  }

  /** Before a pause, which those behind wait for as well. */
  keepCopies(): void {
    for (let work: Work | undefined = this.head; work !== undefined; work = work.next) keepCopy(work);
  }
}

/** The key by which lanes are told apart: equal bytes make equal text, whatever they mean. */
export function laneKeyOf(work: Work): string | null {
  if (work.lane === undefined) work.lane = laneKeyOfBytes(work.record.key);
  return work.lane;
}

export function laneKeyOfBytes(key: Uint8Array | null): string | null {
  return key === null ? null : Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

function keepCopy(work: Work): void {
  if (work.isCopied) return;
  work.isCopied = true;
  work.record = copyRecord(work.record);
}
