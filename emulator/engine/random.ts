/**
 * Random numbers that are a function of names: `randomStream(seed, 'house-move', 7)` is the same stream on every
 * machine, whatever else was drawn before. Only integer arithmetic and exact floating-point operations are used, so
 * that the bytes of a run cannot depend on the version of Node.
 */
export interface RandomStream {
  /** Uniform in [0, 1), with 32 bits. */
  next(): number;
  /** A whole number, uniform in [min, max], both ends included. */
  integer(min: number, max: number): number;
  /** One of the values; throws RangeError when there is none. */
  pick<T>(values: readonly T[]): T;
  /** One of the keys, in proportion to their weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** True with probability `p`. */
  chance(p: number): boolean;
  /**
   * Between `min` and `max` with each doubling equally likely: how long people and machines take. Inside a doubling
   * it is uniform, which spares a logarithm.
   */
  spread(min: number, max: number): number;
  /** A version 4 UUID (RFC 9562) in lower case. */
  uuid(): string;
}

/** The stream of that name. Parts are told apart by position: ('a', 'b') is not ('ab'). */
export function randomStream(...name: readonly (string | number)[]): RandomStream {
  const draw = generator(hash128(name));
  const next = () => draw() / 0x1_0000_0000;

  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new RangeError('Cannot pick from an empty list.');
      return value;
    },
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      // Rounding can leave a crumb: it belongs to the last key that has any weight.
      const last = entries.findLast(([, weight]) => weight > 0);
      if (last === undefined) throw new RangeError('Cannot choose: every weight is 0.');
      return last[0];
    },
    chance: (p) => next() < p,
    spread(min, max) {
      let octaves = 0;
      let floor = min;
      while (floor * 2 <= max) {
        floor *= 2;
        octaves++;
      }
      const drawn = next() * (octaves + (max / floor - 1));
      const octave = Math.floor(drawn);
      return min * 2 ** octave * (1 + drawn - octave);
    },
    uuid() {
      const words = [draw(), draw(), draw(), draw()] as const;
      const version = (words[1] & 0xffff_0fff) | 0x4000;
      const variant = (words[2] & 0x3fff_ffff) | 0x8000_0000;
      const digits = [words[0], version, variant, words[3]].map(hex8).join('');
      return dashed(digits);
    },
  };
}

/** A 32-bit hash of a name. Equal names have equal hashes on every machine. */
export function hash32(...name: readonly (string | number)[]): number {
  return hash128(name)[0];
}

/** Puts the dashes of a UUID into 32 hexadecimal digits. */
export function dashed(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** Eight lower-case hexadecimal digits of an unsigned 32-bit number. */
export function hex8(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** Keeps these streams apart from any other use of the same hash. */
const domain = 'busbar';

type State = [number, number, number, number];

/** Four murmur-like lanes over the characters of all parts, each part closed by a separator. */
function hash128(name: readonly (string | number)[]): State {
  let [a, b, c, d] = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
  const mix = (word: number) => {
    a = Math.imul(a ^ word, 0x9e37_79b1);
    b = Math.imul(b ^ word ^ (a >>> 15), 0x85eb_ca77);
    c = Math.imul(c ^ word ^ (b >>> 13), 0xc2b2_ae3d);
    d = Math.imul(d ^ word ^ (c >>> 16), 0x27d4_eb2f);
  };
  for (const part of [domain, ...name]) {
    const text = String(part);
    for (let i = 0; i < text.length; i++) mix(text.charCodeAt(i));
    mix(0x1_0000 + text.length);
  }
  for (let round = 0; round < 4; round++) mix(a ^ d);
  return [a >>> 0, b >>> 0, c >>> 0, d >>> 0];
}

/** sfc32: small, fast, passes PractRand; the counter guarantees a period of at least 2^32. */
function generator([a, b, c, counter]: State): () => number {
  return () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
}
