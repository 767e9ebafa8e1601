import type { EventKey } from './envelope.js';

/** Number of slots: a power of two, for eleven bits of the hash. */
const slots = 2048;
const probes = 4;

/** Maximum bytes of a cached name; longer ones are not names of events. */
const maxName = 256;

/**
 * Finds the name of an event by the bytes of two headers. Decoding two strings per record and looking them up costs more
 * than validation. A stream has few names, so the cache decodes each once and then compares bytes. Its size is bounded:
 * a name without a free slot replaces another.
 */
export class EventKeyCache {
  readonly #slots: (Entry | undefined)[] = new Array<Entry | undefined>(slots + probes).fill(undefined);

  /** Returns the same object for the same bytes, unless another name has replaced it. */
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
    if (type.length + version.length <= maxName) {
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

/** Hashes a few bytes, mostly from the end, because many names begin alike. */
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
