import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { bodyOf, type Refusal } from './refusal.js';

/** Options of HTTP servers, so that requests reach them that Node would refuse without a message. */
export const lenientServerOptions = {
  // The guard refuses a request without a Host header.
  requireHostHeader: false,
} as const;

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that were being parsed. */
  readonly rawPacket?: Buffer;
}

/** Responds to requests that Node's parser refuses, in the shape of their path. */
export function respondToMalformed(web: Server): void {
  web.on('clientError', ({ code = '', rawPacket }: ParserError, socket: Duplex) => {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refusals[code] ?? malformed;
    const { status } = refusal;
    const [text, headers] = serialize(refusal, pathIn(rawPacket));
    const lines = Object.entries({ Connection: 'close', ...headers }).map((each) => `${each.join(': ')}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
      socket.destroy(),
    );
  });
  web.on('checkExpectation', ({ url }: IncomingMessage, response: ServerResponse) => {
    const message = 'Expect is 100-continue or nothing.';
    const [text, headers] = serialize({ code: 'expectation-failed', message }, url);
    response.writeHead(417, headers).end(text);
  });
}

/** Returns the path of a request that begins in these bytes. */
function pathIn(bytes: Buffer | undefined): string | undefined {
  return /^[A-Z]+ (\S+) HTTP\//.exec(bytes?.toString('latin1', 0, 2_048) ?? '')?.[1];
}

/** Without a path, in the platform's shape: its clients read no other. */
function serialize(refusal: Pick<Refusal, 'code' | 'message'>, path = '/v1/') {
  const text = JSON.stringify(bodyOf(refusal, path));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };
  return [text, headers] as const;
}

const malformed: Refusal = {
  status: 400,
  code: 'malformed-request',
  message: 'The request cannot be read: it is not HTTP/1.1.',
};

/** By Node's code of the error. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers-too-large',
    message: 'The headers are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'body-too-large',
    message: 'The extensions of a chunk are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request-timeout',
    message: 'The request did not arrive in time.',
  },
};
