import { formatUuid } from './uuid.js';

/**
 * Random numbers that depend on a name alone: `randomStream(seed, 'house-move', 7)` is the same stream on every machine,
 * independent of earlier draws. It uses integer arithmetic and exact floating-point operations, so that the bytes of a run
 * don't depend on the version of Node.
 */
export interface RandomStream {
  /** Draws a number, uniform in [0, 1), with 32 bits. */
  next(): number;
  /** Draws a whole number, uniform in [min, max], both ends included. */
  integer(min: number, max: number): number;
  /** Draws one of the values. @throws RangeError if there are none. */
  pick<T>(values: readonly T[]): T;
  /** Draws one of the keys, in proportion to their weights. @throws RangeError if every weight is 0. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** Returns true with probability `p`. */
  chance(p: number): boolean;
  /**
   * Draws a number between `min` and `max` with each doubling equally likely, for durations of people and machines. Within a
   * doubling the number is uniform, which saves a logarithm.
   */
  spread(min: number, max: number): number;
  /** Draws a version 4 UUID (RFC 9562) in lower case. */
  uuid(): string;
}

/** Returns the stream of a name. The parts are separate: ('a', 'b') differs from ('ab'). */
export function randomStream(...name: readonly (string | number)[]): RandomStream {
  return beginningOf(name).streamFrom(name, shared(name));
}

/** Names with a common prefix, which is hashed once. */
export interface Names {
  /** `names('a').with(['b'])` is `names('a', 'b')`. */
  with(rest: readonly (string | number)[]): Names;
  /** `names('a', 'b').stream('c')` is `randomStream('a', 'b', 'c')`. */
  stream(...rest: readonly (string | number)[]): RandomStream;
  /** `names('a', 'b').hash32('c')` is `hash32('a', 'b', 'c')`. */
  hash32(...rest: readonly (string | number)[]): number;
}

/** Returns the names with that prefix. */
export function names(...beginning: readonly (string | number)[]): Names {
  return beginningOf(beginning).withFrom(beginning, shared(beginning));
}

/**
 * The generator sfc32: small, fast, passes PractRand, with a period of at least 2^32. A class, because a run makes a stream
 * for every decision.
 */
class Sfc32 implements RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  /** Takes four signed 32-bit words, which the engine stores unboxed. */
  constructor(a: number, b: number, c: number, counter: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Draws 32 bits as an unsigned number. */
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
    // Rounding can leave a remainder, which belongs to the last key with a weight.
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

/** Returns the table of weights, computed once: weights are constants of the scenarios. */
function tableOf(weights: Readonly<Record<string, number>>): WeightTable {
  let table = tables.get(weights);
  if (table === undefined) {
    const values = Object.values(weights);
    table = { keys: Object.keys(weights), values, total: values.reduce((sum, weight) => sum + weight, 0) };
    tables.set(weights, table);
  }
  return table;
}

/** Returns a 32-bit hash of a name, equal on every machine. */
export function hash32(...name: readonly (string | number)[]): number {
  return beginningOf(name).hash32From(name, shared(name));
}

/** Formats an unsigned 32-bit number as eight lower-case hexadecimal digits. */
export function hex8(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** An unfinished 128-bit hash: four murmur-like lanes over the characters of all parts, with a separator after each. */
class Hash implements Names {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(a: number, b: number, c: number, d: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#d = d | 0;
  }

  with(parts: readonly (string | number)[]): Hash {
    return this.withFrom(parts, 0);
  }

  stream(...rest: readonly (string | number)[]): RandomStream {
    return this.streamFrom(rest, 0);
  }

  hash32(...rest: readonly (string | number)[]): number {
    return this.hash32From(rest, 0);
  }

  /** Adds the parts from an index on. @param to Exclusive. Default: all. */
  withFrom(parts: readonly (string | number)[], from: number, to: number = parts.length): Hash {
    this.#add(parts, from, to);
    return new Hash(lanes[0] as number, lanes[1] as number, lanes[2] as number, lanes[3] as number);
  }

  streamFrom(rest: readonly (string | number)[], from: number): RandomStream {
    this.#add(rest, from);
    finish();
    return new Sfc32(lanes[0] as number, lanes[1] as number, lanes[2] as number, lanes[3] as number);
  }

  hash32From(rest: readonly (string | number)[], from: number): number {
    this.#add(rest, from);
    finish();
    return (lanes[0] as number) >>> 0;
  }

  /** Sets the lanes. Local variables are faster than fields, and every draw of a run comes here. */
  #add(parts: readonly (string | number)[], from: number, to: number = parts.length): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let nth = from; nth < to; nth++) {
      const text = String(parts[nth]);
      const { length } = text;
      for (let i = 0; i <= length; i++) {
        const word = i < length ? text.charCodeAt(i) : 0x1_0000 + length;
        a = Math.imul(a ^ word, 0x9e37_79b1);
        b = Math.imul(b ^ word ^ (a >>> 15), 0x85eb_ca77);
        c = Math.imul(c ^ word ^ (b >>> 13), 0xc2b2_ae3d);
        d = Math.imul(d ^ word ^ (c >>> 16), 0x27d4_eb2f);
      }
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
  }
}

/** Lanes of the hash in work: an object for each would be garbage. */
const lanes = new Int32Array(4);

/** Mixes the lanes. Nothing can follow. */
function finish(): void {
  let a = lanes[0] as number;
  let b = lanes[1] as number;
  let c = lanes[2] as number;
  let d = lanes[3] as number;
  for (let round = 0; round < 4; round++) {
    const word = a ^ d;
    a = Math.imul(a ^ word, 0x9e37_79b1);
    b = Math.imul(b ^ word ^ (a >>> 15), 0x85eb_ca77);
    c = Math.imul(c ^ word ^ (b >>> 13), 0xc2b2_ae3d);
    d = Math.imul(d ^ word ^ (c >>> 16), 0x27d4_eb2f);
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

/** Prefix that separates these streams from other uses of the hash. */
const domain = new Hash(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344).with(['busbar']);

/** The first two parts of the name before, mostly a seed and a cell, and their hash: the next name mostly has them, too. */
const before: { first: string | number; second: string | number; hash: Hash } = {
  first: '',
  second: '',
  hash: domain.with(['', '']),
};

/** Returns the hash of the parts that names share. */
function beginningOf(name: readonly (string | number)[]): Hash {
  const [first, second] = name;
  if (first === undefined || second === undefined) return domain;
  if (first !== before.first || second !== before.second) {
    before.first = first;
    before.second = second;
    before.hash = domain.withFrom(name, 0, 2);
  }
  return before.hash;
}

/** Returns the number of the parts that names share. */
function shared({ length }: readonly unknown[]): number {
  return length < 2 ? 0 : 2;
}
