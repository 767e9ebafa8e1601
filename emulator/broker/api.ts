import { memoized } from 'busbar/base';
import type { Connection } from './connection.js';
import type { BrokerCore } from './core.js';
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
  /** The client id of the request header; may be empty. */
  readonly clientId: string;
  readonly connection: Connection;
  readonly broker: BrokerCore;
  /** All served APIs by key. */
  readonly apis: ReadonlyMap<number, Api>;
}

/** The one declaration of an API key: its versions, fields, handler and documentation. */
export interface ApiDefinition<Req extends Fields, Res extends Fields> {
  readonly key: number;
  readonly name: string;
  /** The versions that ApiVersions advertises and that the broker can decode. */
  readonly versions: Versions;
  /** The versions that the broker serves; it refuses others with UNSUPPORTED_VERSION. Default: `versions`. */
  readonly served?: Versions;
  /** The versions with compact lengths and tagged fields (KIP-482). */
  readonly flexible?: Versions;
  /** One or two sentences for docs/reference/kafka-support.md. */
  readonly behaviour: string;
  /** Differences from Apache Kafka; for docs/reference/kafka-support.md. */
  readonly omissions?: readonly string[];
  readonly request: Req;
  readonly response: Res;
  /** Returns the response, or null to send none (Produce with acks=0). */
  handle(request: Read<Req>, context: RequestContext): Written<Res> | null | Promise<Written<Res> | null>;
  /** Returns a response with `errorCode` for each part of the request. Default: a response with `errorCode` only. */
  refuse?(request: Read<Req>, errorCode: number, context: RequestContext): Written<Res>;
}

export type Message = Record<string, unknown>;

/** A definition with erased message types and a codec for each version. */
export interface Api
  extends Pick<ApiDefinition<Fields, Fields>, 'key' | 'name' | 'behaviour' | 'request' | 'response'> {
  readonly minVersion: number;
  readonly maxVersion: number;
  readonly omissions: readonly string[];
  serves(version: number): boolean;
  isFlexible(version: number): boolean;
  requestCodec(version: number): Codec;
  responseCodec(version: number): Codec;
  handle(request: Message, context: RequestContext): Message | null | Promise<Message | null>;
  refuse(request: Message, errorCode: number, context: RequestContext): Message;
}

export function defineApi<Req extends Fields, Res extends Fields>(definition: ApiDefinition<Req, Res>): Api {
  const { versions, served = versions, flexible, omissions = [], request, response } = definition;
  const { first, last } = versionRange(versions);
  const servedRange = versionRange(served);
  const flexibleRange = flexible === undefined ? undefined : versionRange(flexible);
  const isFlexible = (version: number): boolean => within(version, flexibleRange);
  return {
    ...definition,
    minVersion: first,
    maxVersion: last,
    omissions,
    serves: (version) => within(version, servedRange),
    isFlexible,
    requestCodec: memoized((version: number) => compile(request, version, isFlexible(version))),
    responseCodec: memoized((version: number) => compile(response, version, isFlexible(version))),
    // Safe: a codec reads exactly what its table describes.
    handle: (message, context) => definition.handle(message as Read<Req>, context),
    refuse: (message, errorCode, context) =>
      definition.refuse?.(message as Read<Req>, errorCode, context) ?? { errorCode },
  };
}
