/** The versions of a message in which something holds: `v3+`, `v0-7` or `v1`. */
export type Versions = `v${number}+` | `v${number}-${number}` | `v${number}`;

export interface VersionRange {
  readonly first: number;
  readonly last: number;
}

/** What a field looks like on the wire; which encoding (compact or not) follows from the message's version. */
export type WireType =
  | { readonly name: 'boolean' | 'int8' | 'int16' | 'int32' | 'int64' }
  | { readonly name: 'uuid' | 'string' | 'bytes' | 'records' }
  | { readonly name: 'array'; readonly of: WireType }
  | { readonly name: 'struct'; readonly fields: Fields };

/**
 * One line of a field table. `Value` is what a reader yields, `Input` what a writer takes, and `Optional` says
 * whether the writer may be given nothing (then the default is sent).
 */
export interface Field<Value = unknown, Input = unknown, Optional extends boolean = boolean> {
  readonly type: WireType;
  readonly versions: VersionRange;
  /** The versions in which the field may be null. */
  readonly nullable: VersionRange | undefined;
  /** Set for a tagged field: it is sent only when it differs from its default (KIP-482). */
  readonly tag: number | undefined;
  /** What a reader yields when the version does not have the field. */
  readonly absent: unknown;
  /** Never present; carries the types. */
  readonly carries?: { value: Value; input: Input; optional: Optional };
}

export type Fields = Readonly<Record<string, Field>>;

/** What reading a message with these fields yields: every field, absent ones with their default. */
export type Read<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer V> ? V : never };

/** What writing a message with these fields takes: a field that has a default may be left out. */
export type Written<F extends Fields> = { [K in RequiredKeys<F>]: InputOf<F[K]> } & {
  [K in Exclude<keyof F, RequiredKeys<F>>]?: InputOf<F[K]>;
};

interface Options<T> {
  readonly nullable?: Versions;
  readonly default?: T | null;
  readonly tag?: number;
}
type None = { readonly [key: string]: never };
type Scalar<T, O> = Field<OrNull<T, O>, OrNull<T, O>, HasDefault<O>>;
type OrNull<T, O> = O extends { nullable: Versions } ? T | null : T;
type HasDefault<O> = O extends { default: unknown } ? true : false;
type InputOf<F> = F extends Field<unknown, infer I> ? I : never;
type RequiredKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, unknown, true> ? never : K;
}[keyof F];

export function boolean<O extends Options<boolean> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'boolean' }, versions, options, false) as Scalar<boolean, O>;
}

export function int8<O extends Options<number> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'int8' }, versions, options, 0) as Scalar<number, O>;
}

export function int16<O extends Options<number> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'int16' }, versions, options, 0) as Scalar<number, O>;
}

export function int32<O extends Options<number> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'int32' }, versions, options, 0) as Scalar<number, O>;
}

/** A 64-bit integer as a JavaScript number: exact up to 2^53, which no offset of an in-memory log reaches. */
export function int64<O extends Options<number> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'int64' }, versions, options, 0) as Scalar<number, O>;
}

/** A 16-byte id in the form Kafka's tools print: 22 characters of base64url. */
export function uuid<O extends Options<string> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'uuid' }, versions, options, ZERO_UUID) as Scalar<string, O>;
}

export function string<O extends Options<string> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'string' }, versions, options, '') as Scalar<string, O>;
}

/** Bytes that outlive the request: a reader copies them out of the network buffer. */
export function bytes<O extends Options<Buffer> = None>(versions: Versions = 'v0+', options?: O) {
  return field({ name: 'bytes' }, versions, options, NO_BYTES) as Scalar<Buffer, O>;
}

/** Record batches: a reader yields a view of the network buffer, a writer takes slices of the log uncopied. */
export function records<O extends Options<Buffer> = None>(versions: Versions = 'v0+', options?: O) {
  type Of = Field<OrNull<Buffer, O>, OrNull<readonly Buffer[], O>, HasDefault<O>>;
  return field({ name: 'records' }, versions, options, NO_BYTES) as Of;
}

/** A list of structures, one line per field of the structure. */
export function list<F extends Fields, O extends Options<readonly never[]> = None>(
  fields: F,
  versions: Versions = 'v0+',
  options?: O,
) {
  type Of = Field<OrNull<Read<F>[], O>, OrNull<readonly Written<F>[], O>, HasDefault<O>>;
  return field({ name: 'array', of: { name: 'struct', fields } }, versions, options, []) as Of;
}

/** A list of plain values, such as partition numbers. */
export function listOf<V, I, O extends Options<readonly never[]> = None>(
  element: Field<V, I>,
  versions: Versions = 'v0+',
  options?: O,
) {
  type Of = Field<OrNull<V[], O>, OrNull<readonly I[], O>, HasDefault<O>>;
  return field({ name: 'array', of: element.type }, versions, options, []) as Of;
}

/** `v3+` -> 3 to infinity, `v0-7` -> 0 to 7, `v1` -> 1 to 1. */
export function versionRange(versions: Versions): VersionRange {
  const [, first, last] = /^v(\d+)(\+|-\d+)?$/.exec(versions) ?? [];
  if (first === undefined) throw new TypeError(`"${versions}" is no version range; write v3+, v0-7 or v1`);
  if (last === undefined) return { first: Number(first), last: Number(first) };
  return { first: Number(first), last: last === '+' ? Infinity : Number(last.slice(1)) };
}

export function within(version: number, range: VersionRange | undefined): boolean {
  return range !== undefined && version >= range.first && version <= range.last;
}

/** The id that stands for "no topic id" (KIP-516). */
export const ZERO_UUID = 'AAAAAAAAAAAAAAAAAAAAAA';

const NO_BYTES = Buffer.alloc(0);

function field(type: WireType, versions: Versions, options: Options<unknown> = {}, zero: unknown): Field {
  const nullable = options.nullable === undefined ? undefined : versionRange(options.nullable);
  const absent = options.default !== undefined ? options.default : nullable ? null : zero;
  return { type, versions: versionRange(versions), nullable, tag: options.tag, absent };
}
