/** A range of message versions: `v3+`, `v0-7` or `v1`. */
export type Versions = `v${number}+` | `v${number}-${number}` | `v${number}`;

export interface VersionRange {
  readonly first: number;
  readonly last: number;
}

type ScalarName = 'boolean' | 'int8' | 'int16' | 'int32' | 'int64' | 'float64' | 'uuid' | 'string' | 'bytes';

/** The type of a field on the wire. The message version decides whether its encoding is compact. */
export type WireType =
  | { readonly name: ScalarName | 'records' }
  | { readonly name: 'array'; readonly of: WireType }
  | { readonly name: 'struct'; readonly fields: Fields };

/**
 * One line of a field table. A reader returns a `Value`, a writer accepts an `Input`. If `Optional`, the writer sends
 * the default for a missing field.
 */
export interface Field<Value = unknown, Input = unknown, Optional extends boolean = boolean> {
  readonly type: WireType;
  readonly versions: VersionRange;
  /** The versions in which the field may be null. */
  readonly nullable: VersionRange | undefined;
  /** The tag of a tagged field, which is sent only if it differs from its default (KIP-482). */
  readonly tag: number | undefined;
  /** The value in versions without the field. */
  readonly absent: unknown;
  /** Never present; holds the type parameters. */
  readonly carries?: { value: Value; input: Input; optional: Optional };
}

export type Fields = Readonly<Record<string, Field>>;

/** A decoded message: every field, absent ones with their default. */
export type Read<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer V> ? V : never };

/** A message to encode; fields with a default are optional. */
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

/** The id for "no topic" (KIP-516). */
export const ZERO_UUID = 'AAAAAAAAAAAAAAAAAAAAAA';

export const NO_BYTES = Buffer.alloc(0);

export const boolean = scalar<boolean>('boolean', false);
export const int8 = scalar<number>('int8', 0);
export const int16 = scalar<number>('int16', 0);
export const int32 = scalar<number>('int32', 0);

/** A 64-bit integer as a number: exact up to 2^53, which no offset of an in-memory log reaches. */
export const int64 = scalar<number>('int64', 0);

export const float64 = scalar<number>('float64', 0);

/** A 16-byte id as 22 characters of base64url, the format of Kafka's tools. */
export const uuid = scalar<string>('uuid', ZERO_UUID);
export const string = scalar<string>('string', '');

/** Bytes that a reader copies out of the network buffer, so that they outlive the request. */
export const bytes = scalar<Buffer>('bytes', NO_BYTES);

/** Record batches, or null: a reader returns a view of the network buffer, a writer sends slices of the log uncopied. */
export function records() {
  type Of = Field<Buffer | null, readonly Buffer[] | null>;
  return field({ name: 'records' }, 'v0+', { nullable: 'v0+' }, NO_BYTES) as Of;
}

/** A list of structures with these fields. */
export function list<F extends Fields, O extends Options<readonly never[]> = None>(
  fields: F,
  versions: Versions = 'v0+',
  options?: O,
) {
  type Of = Field<OrNull<Read<F>[], O>, OrNull<readonly Written<F>[], O>, HasDefault<O>>;
  return field({ name: 'array', of: { name: 'struct', fields } }, versions, options, []) as Of;
}

/** A list of structures that a writer may leave out. */
export function optionalList<F extends Fields>(fields: F, versions: Versions = 'v0+') {
  return list(fields, versions, { default: [] });
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

/** A structure that may be null, which it is unless a writer sends one. */
export function optionalStruct<F extends Fields>(fields: F) {
  const options = { nullable: 'v0+', default: null } as const;
  return field({ name: 'struct', fields }, 'v0+', options, null) as Field<
    Read<F> | null,
    Written<F> | null,
    true
  >;
}

/** `v3+` -> 3 to infinity, `v0-7` -> 0 to 7, `v1` -> 1 to 1. */
export function versionRange(versions: Versions): VersionRange {
  const [, first, last] = /^v(\d+)(\+|-\d+)?$/.exec(versions) ?? [];
  if (first === undefined) throw new TypeError(`"${versions}" isn't a version range. Write v3+, v0-7 or v1.`);
  if (last === undefined) return { first: Number(first), last: Number(first) };
  return { first: Number(first), last: last === '+' ? Infinity : Number(last.slice(1)) };
}

export function within(version: number, range: VersionRange | undefined): boolean {
  return range !== undefined && version >= range.first && version <= range.last;
}

/** Returns a function that declares a field of one type. */
function scalar<T>(name: ScalarName, zero: T) {
  return <O extends Options<T> = None>(versions: Versions = 'v0+', options?: O) =>
    field({ name }, versions, options, zero) as Scalar<T, O>;
}

function field(type: WireType, versions: Versions, options: Options<unknown> = {}, zero: unknown): Field {
  const nullable = options.nullable === undefined ? undefined : versionRange(options.nullable);
  const absent = options.default !== undefined ? options.default : nullable ? null : zero;
  return { type, versions: versionRange(versions), nullable, tag: options.tag, absent };
}
