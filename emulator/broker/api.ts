import {
  type ApiCodecs,
  type ApiTable,
  codecsOf,
  type Fields,
  type Read,
  versionRange,
  type Versions,
  within,
  type Written,
} from 'busbar/internal/kafka-protocol';
import type { Connection } from './connection.js';
import type { BrokerCore } from './core.js';
import type { Message } from './intercept.js';

export interface RequestContext {
  readonly version: number;
  /** The client id of the request header; may be empty. */
  readonly clientId: string;
  readonly connection: Connection;
  readonly broker: BrokerCore;
  /** All served APIs by key. */
  readonly apis: ReadonlyMap<number, Api>;
}

/** The one declaration of an API key: its messages, handler and documentation. */
interface ApiDefinition<Req extends Fields, Res extends Fields> extends ApiTable<Req, Res> {
  /** The versions that the broker serves; it refuses others with UNSUPPORTED_VERSION. Default: `versions`. */
  readonly served?: Versions;
  /** One or two sentences for docs/reference/kafka-support.md. */
  readonly behaviour: string;
  /** Differences from Apache Kafka; for docs/reference/kafka-support.md. */
  readonly omissions?: readonly string[];
  /** Returns the response, or null to send none (Produce with acks=0). */
  handle(request: Read<Req>, context: RequestContext): Written<Res> | null | Promise<Written<Res> | null>;
  /** Returns a response with `errorCode` for each part of the request. Default: a response with `errorCode` only. */
  refuse?(request: Read<Req>, errorCode: number, context: RequestContext): Written<Res>;
}

/** A definition with erased message types and a codec for each version. */
export interface Api
  extends ApiCodecs,
    Pick<ApiDefinition<Fields, Fields>, 'key' | 'name' | 'behaviour' | 'request' | 'response'> {
  readonly omissions: readonly string[];
  serves(version: number): boolean;
  handle(request: Message, context: RequestContext): Message | null | Promise<Message | null>;
  refuse(request: Message, errorCode: number, context: RequestContext): Message;
}

export function defineApi<Req extends Fields, Res extends Fields>(definition: ApiDefinition<Req, Res>): Api {
  const { versions, served = versions, omissions = [] } = definition;
  const servedRange = versionRange(served);
  return {
    ...definition,
    ...(codecsOf(definition) as ApiCodecs),
    omissions,
    serves: (version) => within(version, servedRange),
    // Safe: a codec reads exactly what its table describes.
    handle: (message, context) => definition.handle(message as Read<Req>, context),
    refuse: (message, errorCode, context) =>
      definition.refuse?.(message as Read<Req>, errorCode, context) ?? { errorCode },
  };
}
