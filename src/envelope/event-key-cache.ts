import type { EventKey } from './envelope.js';

/** A power of two: eleven bits of the hash. */
const slots = 2048;
const probes = 4;

/** Longer names are no names of events, and are not worth remembering. */
const longestName = 256;

/**
 * Finds the name of an event by the bytes of two headers. To make two strings of every record and to look them up
 * costs more than to validate it; a stream has few names, so each is decoded once and then found by comparing bytes.
 * Names that find no room push others out: bounded, and right with any input.
 */
export class EventKeyCache {
  readonly #slots: (Entry | undefined)[] = new Array<Entry | undefined>(slots + probes).fill(undefined);

  /** The same object, with the same strings, for the same bytes, as long as no other name takes its place. */
  get(type: Uint8Array, version: Uint8Array): EventKey {
    const first = slotOf(type, version);
    let free = first;
    for (let at = first; at < first + probes; at++) {
      const found = this.#slots[at];
      if (found === undefined) {
        free = at;
        break;
      }
      if (isSame(found.type, type) && isSame(found.version, version)) return found.key;
    }
    const key = { type: Buffer.from(type).toString(), version: Buffer.from(version).toString() };
    if (type.length + version.length <= longestName) {
      this.#slots[free] = { type: Buffer.from(type), version: Buffer.from(version), key };
    }
    return key;
  }
}

interface Entry {
  readonly type: Uint8Array;
  readonly version: Uint8Array;
  readonly key: EventKey;
}

/** A few bytes tell names apart; of most the beginnings are alike, so they are taken from the end. */
function slotOf(type: Uint8Array, version: Uint8Array): number {
  const length = type.length;
  const end = (type[length - 1] ?? 0) ^ ((type[length - 4] ?? 0) << 3) ^ ((type[length - 7] ?? 0) << 6);
  const middle = type[length >> 1] ?? 0;
  return (Math.imul(end + middle * 37 + length, 0x9e3779b1) >>> 21) ^ (version[version.length - 1] ?? 0);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = one.length - 1; at >= 0; at--) if (one[at] !== other[at]) return false;
  return true;
}
