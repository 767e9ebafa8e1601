import type { EventKey } from './envelope.js';

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
      this.#slots[free] = { type: Uint8Array.from(type), version: Uint8Array.from(version), key };
    }
    return key;
  }
}

interface Entry {
  readonly type: Uint8Array;
  readonly version: Uint8Array;
  readonly key: EventKey;
}

/** Of a name every third byte, from the end: the beginnings are alike. */
function slotOf(type: Uint8Array, version: Uint8Array): number {
  let hash = type.length;
  for (let at = type.length - 1; at >= 0; at -= 3) hash = Math.imul(hash, 31) + (type[at] ?? 0);
  for (let at = version.length - 1; at >= 0; at--) hash = Math.imul(hash, 31) + (version[at] ?? 0);
  return (hash ^ (hash >>> 10)) & (slots - 1);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = one.length - 1; at >= 0; at--) if (one[at] !== other[at]) return false;
  return true;
}
