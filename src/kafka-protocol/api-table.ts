import { memoized } from '../base/once.js';
import { type Codec, compile } from './codec.js';
import { type Fields, versionRange, type Versions, within } from './fields.js';

/** The messages of one API key: versions and fields, without behaviour. */
export interface ApiTable<Req extends Fields = Fields, Res extends Fields = Fields> {
  readonly key: number;
  readonly name: string;
  /** The versions that the fields describe. */
  readonly versions: Versions;
  /** The versions with compact lengths and tagged fields (KIP-482). */
  readonly flexible?: Versions;
  readonly request: Req;
  readonly response: Res;
}

/** The codecs of an API's messages, by version. */
export interface ApiCodecs<Req extends Fields = Fields, Res extends Fields = Fields> {
  readonly minVersion: number;
  readonly maxVersion: number;
  isFlexible(version: number): boolean;
  requestCodec(version: number): Codec<Req>;
  responseCodec(version: number): Codec<Res>;
}

/** Returns the codecs of a table. Each version is compiled when it is first used. */
export function codecsOf<Req extends Fields, Res extends Fields>({
  versions,
  flexible,
  request,
  response,
}: ApiTable<Req, Res>): ApiCodecs<Req, Res> {
  const { first, last } = versionRange(versions);
  const flexibleRange = flexible === undefined ? undefined : versionRange(flexible);
  const isFlexible = (version: number): boolean => within(version, flexibleRange);
  return {
    minVersion: first,
    maxVersion: last,
    isFlexible,
    requestCodec: memoized((version: number) => compile(request, version, isFlexible(version))),
    responseCodec: memoized((version: number) => compile(response, version, isFlexible(version))),
  };
}
