import { formatUuid } from './uuid.js';

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
  return domain.stream(...name);
}

/** Names that begin alike: the beginning is hashed once for all of them. */
export interface Names {
  /** `names('a').with(['b'])` is `names('a', 'b')`. */
  with(rest: readonly (string | number)[]): Names;
  /** `names('a', 'b').stream('c')` is `randomStream('a', 'b', 'c')`. */
  stream(...rest: readonly (string | number)[]): RandomStream;
  /** `names('a', 'b').hash32('c')` is `hash32('a', 'b', 'c')`. */
  hash32(...rest: readonly (string | number)[]): number;
}

export function names(...beginning: readonly (string | number)[]): Names {
  return domain.with(beginning);
}

/**
 * sfc32: small, fast, passes PractRand; the counter guarantees a period of at least 2^32. A class, because a run makes
 * a stream for every decision.
 */
class Sfc32 implements RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  /** Of four 32-bit words, signed ones: the machine keeps those without a box. */
  constructor(a: number, b: number, c: number, counter: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** The next 32 bits, as an unsigned number. */
  #draw(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  next(): number {
    return this.#draw() / 0x1_0000_0000;
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new RangeError('Cannot pick from an empty list.');
    return value;
  }

  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const { keys, values, total } = tableOf(weights);
    let left = this.next() * total;
    for (let at = 0; at < keys.length; at++) {
      left -= values[at] as number;
      if (left < 0) return keys[at] as K;
    }
    // Rounding can leave a crumb: it belongs to the last key that has any weight.
    const last = values.findLastIndex((weight) => weight > 0);
    if (last === -1) throw new RangeError('Cannot choose: every weight is 0.');
    return keys[last] as K;
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  spread(min: number, max: number): number {
    let octaves = 0;
    let floor = min;
    while (floor * 2 <= max) {
      floor *= 2;
      octaves++;
    }
    const drawn = this.next() * (octaves + (max / floor - 1));
    const octave = Math.floor(drawn);
    return min * 2 ** octave * (1 + drawn - octave);
  }

  uuid(): string {
    const first = this.#draw();
    const second = this.#draw();
    const third = this.#draw();
    const fourth = this.#draw();
    return formatUuid(first, (second & 0xffff_0fff) | 0x4000, (third & 0x3fff_ffff) | 0x8000_0000, fourth);
  }
}

interface WeightTable {
  readonly keys: readonly string[];
  readonly values: readonly number[];
  readonly total: number;
}

const tables = new WeakMap<object, WeightTable>();

/** Weights are constants of the scenarios, looked at thousands of times. */
function tableOf(weights: Readonly<Record<string, number>>): WeightTable {
  let table = tables.get(weights);
  if (table === undefined) {
    const values = Object.values(weights);
    table = { keys: Object.keys(weights), values, total: values.reduce((sum, weight) => sum + weight, 0) };
    tables.set(weights, table);
  }
  return table;
}

/** A 32-bit hash of a name. Equal names have equal hashes on every machine. */
export function hash32(...name: readonly (string | number)[]): number {
  return domain.hash32(...name);
}

/** Eight lower-case hexadecimal digits of an unsigned 32-bit number. */
export function hex8(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** A 128-bit hash under way: four murmur-like lanes over the characters of all parts, each part closed by a separator. */
class Hash implements Names {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;

  constructor(a: number, b: number, c: number, d: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#d = d | 0;
  }

  /** Loops over local variables: a run does this for everything that it draws. */
  with(parts: readonly (string | number)[]): Hash {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (const part of parts) {
      const text = String(part);
      const { length } = text;
      for (let i = 0; i <= length; i++) {
        const word = i < length ? text.charCodeAt(i) : 0x1_0000 + length;
        a = Math.imul(a ^ word, 0x9e37_79b1);
        b = Math.imul(b ^ word ^ (a >>> 15), 0x85eb_ca77);
        c = Math.imul(c ^ word ^ (b >>> 13), 0xc2b2_ae3d);
        d = Math.imul(d ^ word ^ (c >>> 16), 0x27d4_eb2f);
      }
    }
    return new Hash(a, b, c, d);
  }

  stream(...rest: readonly (string | number)[]): RandomStream {
    const named = this.with(rest).#finished();
    return new Sfc32(named.#a, named.#b, named.#c, named.#d);
  }

  hash32(...rest: readonly (string | number)[]): number {
    return this.with(rest).#finished().#a >>> 0;
  }

  #finished(): Hash {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let round = 0; round < 4; round++) {
      const word = a ^ d;
      a = Math.imul(a ^ word, 0x9e37_79b1);
      b = Math.imul(b ^ word ^ (a >>> 15), 0x85eb_ca77);
      c = Math.imul(c ^ word ^ (b >>> 13), 0xc2b2_ae3d);
      d = Math.imul(d ^ word ^ (c >>> 16), 0x27d4_eb2f);
    }
    return new Hash(a, b, c, d);
  }
}

/** Keeps these streams apart from any other use of the same hash. */
const domain = new Hash(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344).with(['busbar']);
