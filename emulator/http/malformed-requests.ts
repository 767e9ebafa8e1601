import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Options of HTTP servers, so that requests reach them that Node would refuse without a message. */
export const lenientServerOptions = {
  // The guard refuses a request without a Host header.
  requireHostHeader: false,
} as const;

/**
 * Responds to requests that Node's parser refuses, before their path is known, in the platform API's JSON shape: its
 * clients read no other.
 */
export function respondToMalformed(web: Server): void {
  web.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, body } = refusals[code] ?? malformed;
    const [text, headers] = serialize(body);
    const lines = Object.entries({ Connection: 'close', ...headers }).map((each) => `${each.join(': ')}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
      socket.destroy(),
    );
  });
  web.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const [text, headers] = serialize({
      detail: 'Expect is 100-continue or nothing.',
      code: 'expectation_failed',
    });
    response.writeHead(417, headers).end(text);
  });
}

interface Refusal {
  readonly status: number;
  readonly body: { readonly detail: string; readonly code: string };
}

function serialize(body: Refusal['body']) {
  const text = JSON.stringify({ ...body, errors: [] });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };
  return [text, headers] as const;
}

const malformed: Refusal = {
  status: 400,
  body: { detail: 'The request cannot be read: it is not HTTP/1.1.', code: 'malformed_request' },
};

/** By Node's code of the error. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    body: { detail: 'The headers are too large.', code: 'headers_too_large' },
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    body: { detail: 'The extensions of a chunk are too large.', code: 'body_too_large' },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    body: { detail: 'The request did not arrive in time.', code: 'request_timeout' },
  },
};
