import type { Broker } from './broker.js';
import type { Connection } from './connection.js';
import { type Codec, compile } from './protocol/codec.js';
import {
  type Fields,
  type Read,
  type Versions,
  within,
  versionRange,
  type Written,
} from './protocol/fields.js';

export interface RequestContext {
  readonly version: number;
  /** As the client calls itself; may be empty. */
  readonly clientId: string;
  readonly connection: Connection;
  readonly broker: Broker;
}

/** One API key. Everything known about it, from the versions to the documentation, follows from this object. */
export interface ApiDefinition<Req extends Fields, Res extends Fields> {
  readonly key: number;
  readonly name: string;
  /** The versions that ApiVersions advertises and whose requests are understood. */
  readonly versions: Versions;
  /** The versions that are really served when these are fewer; the others are answered UNSUPPORTED_VERSION. */
  readonly served?: Versions;
  /** From which version on lengths are compact and fields may be tagged (KIP-482). */
  readonly flexible?: Versions;
  /** One or two sentences for docs/kafka-support.md. */
  readonly behaviour: string;
  /** What a client of Apache Kafka would miss; for docs/kafka-support.md. */
  readonly omissions?: readonly string[];
  readonly request: Req;
  readonly response: Res;
  /** null: no response is sent (Produce with acks=0). */
  handle(request: Read<Req>, context: RequestContext): Written<Res> | null | Promise<Written<Res> | null>;
  /** The response that carries `errorCode` wherever the request's parts have a place for one. */
  refuse(request: Read<Req>, errorCode: number, context: RequestContext): Written<Res>;
}

type Message = Record<string, unknown>;

/** A definition with its message types erased and its codecs at hand. */
export interface Api {
  readonly key: number;
  readonly name: string;
  readonly minVersion: number;
  readonly maxVersion: number;
  readonly behaviour: string;
  readonly omissions: readonly string[];
  readonly request: Fields;
  readonly response: Fields;
  serves(version: number): boolean;
  isFlexible(version: number): boolean;
  requestCodec(version: number): Codec;
  responseCodec(version: number): Codec;
  handle(request: Message, context: RequestContext): Message | null | Promise<Message | null>;
  refuse(request: Message, errorCode: number, context: RequestContext): Message;
}

export function defineApi<Req extends Fields, Res extends Fields>(definition: ApiDefinition<Req, Res>): Api {
  const {
    key,
    name,
    versions,
    served = versions,
    flexible,
    behaviour,
    omissions = [],
    request,
    response,
  } = definition;
  const { first, last } = versionRange(versions);
  const servedRange = versionRange(served);
  const flexibleRange = flexible === undefined ? undefined : versionRange(flexible);
  const isFlexible = (version: number): boolean => within(version, flexibleRange);
  return {
    key,
    name,
    minVersion: first,
    maxVersion: last,
    behaviour,
    omissions,
    request,
    response,
    serves: (version) => within(version, servedRange),
    isFlexible,
    requestCodec: compiledOnce((version) => compile(request, version, isFlexible(version))),
    responseCodec: compiledOnce((version) => compile(response, version, isFlexible(version))),
    // A codec reads exactly what its table describes, so the erased types come back whole.
    handle: (message, context) => definition.handle(message as Read<Req>, context),
    refuse: (message, errorCode, context) => definition.refuse(message as Read<Req>, errorCode, context),
  };
}

function compiledOnce(compileVersion: (version: number) => Codec): (version: number) => Codec {
  const compiled = new Map<number, Codec>();
  return (version) => {
    let codec = compiled.get(version);
    if (!codec) compiled.set(version, (codec = compileVersion(version)));
    return codec;
  };
}
