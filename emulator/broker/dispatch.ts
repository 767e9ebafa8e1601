import { errorCodes, MalformedMessage, Reader, Writer } from 'busbar/internal/kafka-protocol';
import type { Api, RequestContext } from './api.js';
import { apis } from './apis/all.js';
import type { Connection } from './connection.js';
import type { BrokerCore } from './core.js';
import type { Message } from './intercept.js';

const API_VERSIONS = 18;
/** SaslHandshake, ApiVersions and SaslAuthenticate, the APIs for clients that have not authenticated. */
const BEFORE_AUTHENTICATION: ReadonlySet<number> = new Set([17, API_VERSIONS, 36]);

/**
 * Decodes one request frame, runs its interceptors and handler, and encodes the response.
 *
 * @returns the response frame, or null if the request has no response
 * @throws {MalformedMessage} if the connection must be closed
 */
export async function dispatchRequest(
  broker: BrokerCore,
  connection: Connection,
  frame: Buffer,
): Promise<Buffer[] | null> {
  const reader = new Reader(frame);
  const key = reader.int16();
  const version = reader.int16();
  const correlationId = reader.int32();
  const api = apis.get(key);
  if (!api) throw new MalformedMessage(`API key ${key} (version ${version}) is not served`);
  if (!connection.authenticated && !BEFORE_AUTHENTICATION.has(key)) {
    throw new MalformedMessage(`${api.name} was sent before the client authenticated with SASL/PLAIN`);
  }
  const isUnderstood = version >= api.minVersion && version <= api.maxVersion;
  if (!isUnderstood && key === API_VERSIONS) {
    // KIP-511: version 0 is the one encoding that every client can read.
    const context = { version: 0, clientId: '', connection, broker, apis };
    return encode(api, 0, correlationId, api.refuse({}, errorCodes.unsupportedVersion, context));
  }

  const clientIdLength = reader.int16();
  const clientId = clientIdLength === -1 ? '' : reader.string(clientIdLength);
  if (!isUnderstood) {
    const served = `versions ${api.minVersion} to ${api.maxVersion} are`;
    const refusal = `${api.name} version ${version} is not served, ${served}`;
    throw new MalformedMessage(`${refusal} (client id ${JSON.stringify(clientId)})`);
  }
  connection.clientId = clientId;
  if (api.isFlexible(version)) reader.skipTaggedFields();
  const request = api.requestCodec(version).read(reader);
  const context: RequestContext = { version, clientId, connection, broker, apis };
  const response = await respond(api, request, context);
  return response && encode(api, version, correlationId, response);
}

async function respond(api: Api, request: Message, context: RequestContext): Promise<Message | null> {
  const { broker, version, clientId } = context;
  if (!api.serves(version)) {
    broker.logger.warn('api version not served', { api: api.name, version, clientId });
    return api.refuse(request, errorCodes.unsupportedVersion, context);
  }
  const requested = { apiKey: api.key, apiName: api.name, apiVersion: version, clientId, request };
  broker.requested(requested);
  const fault = broker.faultFor(requested);
  const carryOut = (part: Message) => handle(api, part, context);
  if (!fault) return carryOut(request);
  return fault({
    request,
    carryOut,
    refuse: (errorCode) => api.refuse(request, errorCode, context),
    wait: (ms) => delay(context, ms),
  });
}

async function handle(api: Api, request: Message, context: RequestContext): Promise<Message | null> {
  try {
    return await api.handle(request, context);
  } catch (error) {
    if (error instanceof MalformedMessage) throw error;
    const stack = error instanceof Error ? error.stack : String(error);
    const { broker, version, clientId } = context;
    broker.logger.error('request handler failed', { api: api.name, version, clientId, stack });
    return api.refuse(request, errorCodes.unknownServerError, context);
  }
}

function delay({ broker, connection }: RequestContext, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      forget();
      resolve();
    };
    const cancel = broker.clock.schedule(ms, done);
    const forget = connection.onClose(done);
  });
}

function encode(api: Api, version: number, correlationId: number, response: Message): Buffer[] {
  const body = new Writer(512);
  body.int32(0); // the frame's length, filled in below
  body.int32(correlationId);
  // The response of ApiVersions never has a flexible header: its reader does not know the version yet (KIP-511).
  if (api.isFlexible(version) && api.key !== API_VERSIONS) body.unsignedVarint(0);
  api.responseCodec(version).write(body, response);
  const length = body.length - 4;
  const parts = body.finish();
  parts[0]?.writeInt32BE(length, 0);
  return parts;
}
