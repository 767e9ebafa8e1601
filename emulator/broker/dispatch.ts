import type { Api, RequestContext } from './api.js';
import type { Broker } from './broker.js';
import type { Connection } from './connection.js';
import { errorCodes } from './protocol/error-codes.js';
import { MalformedMessage, Reader } from './protocol/reader.js';
import { Writer } from './protocol/writer.js';

const API_VERSIONS = 18;
/** SaslHandshake, ApiVersions, SaslAuthenticate: what a client may ask before it has authenticated. */
const BEFORE_AUTHENTICATION: ReadonlySet<number> = new Set([17, API_VERSIONS, 36]);

/**
 * Answers one request frame: header, version check, decoding, interception, handling, encoding.
 *
 * @returns the response frame, or null when none is due
 * @throws {MalformedMessage} when the connection has to be closed
 */
export async function answer(
  broker: Broker,
  connection: Connection,
  frame: Buffer,
): Promise<Buffer[] | null> {
  const reader = new Reader(frame);
  const key = reader.int16();
  const version = reader.int16();
  const correlationId = reader.int32();
  const api = broker.apis.get(key);
  if (!api) throw new MalformedMessage(`API key ${key} (version ${version}) is not served`);
  if (!connection.authenticated && !BEFORE_AUTHENTICATION.has(key)) {
    throw new MalformedMessage(`${api.name} was sent before the client authenticated with SASL/PLAIN`);
  }
  const isUnderstood = version >= api.minVersion && version <= api.maxVersion;
  if (!isUnderstood && key === API_VERSIONS) {
    // KIP-511: the client learns what it may use, in the one encoding that it surely understands.
    const context = { version: 0, clientId: '', connection, broker };
    return encode(api, 0, correlationId, api.refuse({}, errorCodes.unsupportedVersion, context));
  }

  const clientId = reader.string(reader.int16()) ?? '';
  if (!isUnderstood) {
    const served = `versions ${api.minVersion} to ${api.maxVersion} are`;
    const refusal = `${api.name} version ${version} is not served, ${served}`;
    throw new MalformedMessage(`${refusal} (client id ${JSON.stringify(clientId)})`);
  }
  if (api.isFlexible(version)) reader.skipTaggedFields();
  const request = api.requestCodec(version).read(reader);
  const context: RequestContext = { version, clientId, connection, broker };
  const response = await respond(api, request, context);
  return response && encode(api, version, correlationId, response);
}

async function respond(
  api: Api,
  request: Record<string, unknown>,
  context: RequestContext,
): Promise<Record<string, unknown> | null> {
  const { broker, version, clientId } = context;
  const refuse = (errorCode: number): Record<string, unknown> => api.refuse(request, errorCode, context);
  if (!api.serves(version)) {
    broker.logger.warn(`refused: ${api.name} version ${version} is understood but not served`, { clientId });
    return refuse(errorCodes.unsupportedVersion);
  }
  let lostAfterwards = false;
  if (broker.interceptors.has(api.key)) {
    const fault = await broker.interceptors.faultFor({
      apiKey: api.key,
      apiName: api.name,
      apiVersion: version,
      clientId,
      request,
    });
    if (fault?.delayMs !== undefined) await delay(context, fault.delayMs);
    if (fault?.close === 'before') throw new MalformedMessage(`${api.name} was dropped by an interceptor`);
    lostAfterwards = fault?.close === 'after';
    if (fault?.errorCode !== undefined) return refuse(fault.errorCode);
  }
  const response = await handle(api, request, context);
  if (lostAfterwards) throw new MalformedMessage(`the answer to ${api.name} was dropped by an interceptor`);
  return response;
}

async function handle(
  api: Api,
  request: Record<string, unknown>,
  context: RequestContext,
): Promise<Record<string, unknown> | null> {
  try {
    return await api.handle(request, context);
  } catch (error) {
    if (error instanceof MalformedMessage) throw error;
    const stack = error instanceof Error ? error.stack : String(error);
    context.broker.logger.error(`${api.name} version ${context.version} failed`, {
      clientId: context.clientId,
      stack,
    });
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
    const cancel = broker.clock.after(ms, done);
    const forget = connection.onClose(done);
  });
}

function encode(
  api: Api,
  version: number,
  correlationId: number,
  response: Record<string, unknown>,
): Buffer[] {
  const body = new Writer(512);
  body.int32(0); // the frame's length, filled in below
  body.int32(correlationId);
  // The answer to ApiVersions never has a flexible header: its reader does not know the version yet (KIP-511).
  if (api.isFlexible(version) && api.key !== API_VERSIONS) body.unsignedVarint(0);
  api.responseCodec(version).write(body, response);
  const length = body.length - 4;
  const parts = body.finish();
  parts[0]?.writeInt32BE(length, 0);
  return parts;
}
