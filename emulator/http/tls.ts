import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createNetServer, type Server } from 'node:net';
import { BusbarError } from '../../src/base/errors.js';
import { answerUnreadable, letThrough } from './unreadable.js';

/** As PEM. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that signs itself, for the names of this machine, for as long as a day of development. */
export async function selfSigned(host: string): Promise<TlsFiles> {
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', host])].filter((name) => !/^[\d.]+$|:/.test(name));
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          { type: 7 as const, ip: '127.0.0.1' },
          { type: 7 as const, ip: '::1' },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/**
 * HTTPS that answers plain HTTP on its port in plain words: by the first byte of a connection, which is 22 in TLS
 * (RFC 8446, 5.1) and a letter in HTTP. `web` speaks HTTP, `server` listens.
 */
export function createTlsServer(answerAll: RequestListener, { key, cert }: TlsFiles) {
  const web = httpsServer(answerAll, { key, cert });
  const refusing = createHttpServer(letThrough, (_request, response) => {
    const body = { detail: 'This server speaks HTTPS only.', code: 'https_required', errors: [] };
    response.statusCode = 400;
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Connection', 'close');
    response.end(JSON.stringify(body));
  });
  answerUnreadable(refusing);
  const server: Server = createNetServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(handshakeTimeout, () => socket.destroy());
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.setTimeout(0);
      socket.unshift(first);
      (first[0] === tlsHandshake ? web : refusing).emit('connection', socket);
    });
  });
  return { web, server };
}

function httpsServer(answerAll: RequestListener, files: TlsFiles) {
  try {
    return createHttpsServer({ ...files, ...letThrough }, answerAll);
  } catch (error) {
    const message = 'Options "tlsCert" and "tlsKey" need a certificate and its key, as PEM.';
    throw new BusbarError('invalid-option', message, { cause: error });
  }
}

const tlsHandshake = 22;
/** Milliseconds that a connection may say nothing at all. */
const handshakeTimeout = 120_000;
