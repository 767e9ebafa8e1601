import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createNetServer, type Server } from 'node:net';
import { BusbarError } from 'busbar/base';
import { ignoringOffers } from './declined-upgrade.js';
import { lenientServerOptions, respondToMalformed } from './malformed-requests.js';

/** A private key and certificate in PEM format. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
}

/** Generates a self-signed certificate for `host` and the names of the loopback interface. */
export async function selfSigned(host: string): Promise<TlsFiles> {
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', host])].filter((name) => !/^[\d.]+$|:/.test(name));
  const generated = await generate([{ name: 'commonName', value: 'localhost' }], {
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
  return { key: generated.private, cert: generated.cert };
}

/**
 * Creates an HTTPS server that responds to plain HTTP on its port with an error. It distinguishes them by the first byte
 * of a connection: 22 in TLS (RFC 8446, 5.1), a letter in HTTP. `web` speaks HTTP, `server` listens.
 */
export function createTlsServer(listener: RequestListener, { key, cert }: TlsFiles) {
  const web = httpsServer(listener, { key, cert });
  const refusing = createHttpServer(lenientServerOptions, (_request, response) => {
    const body = { detail: 'This server speaks HTTPS only.', code: 'https_required', errors: [] };
    response.statusCode = 400;
    response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Connection', 'close');
    response.end(JSON.stringify(body));
  });
  respondToMalformed(refusing);
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

function httpsServer(listener: RequestListener, files: TlsFiles) {
  try {
    return createHttpsServer({ ...files, ...lenientServerOptions, ...ignoringOffers }, listener);
  } catch (error) {
    const message = 'The files for HTTPS are not a certificate and its key. Give PEM files.';
    throw new BusbarError('invalid-option', message, { cause: error });
  }
}

const tlsHandshake = 22;
/** Milliseconds before a connection without data is closed. */
const handshakeTimeout = 120_000;
