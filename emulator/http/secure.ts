import {
  boolean,
  BusbarError,
  nonEmptyText,
  type OptionTable,
  portNumber,
  quoted,
  readText,
  withDefaults,
} from 'busbar/base';
import type { TlsFiles } from './tls.js';

/** Address and encryption of the HTTP server. */
export interface HttpOptions {
  /** Port of the HTTP server; 0 selects a free port. Default 4100. */
  readonly port?: number;
  /** Address that the server listens on. Any address but the local machine's needs HTTPS or `insecure`. Default 127.0.0.1. */
  readonly host?: string;
  /** Whether the server speaks HTTPS. Without `tlsCert` and `tlsKey`, the server makes a certificate. Default false. */
  readonly https?: boolean;
  /** Path of the certificate's PEM file. Implies `https`, and needs `tlsKey`. */
  readonly tlsCert?: string;
  /** Path of the private key's PEM file. */
  readonly tlsKey?: string;
  /** Whether the server may speak plain HTTP on an address that other machines reach. Default false. */
  readonly insecure?: boolean;
}

export const httpOptions = {
  port: { type: portNumber, default: 4100 },
  host: { type: nonEmptyText, default: '127.0.0.1' },
  https: { type: boolean, default: false },
  tlsCert: { type: nonEmptyText },
  tlsKey: { type: nonEmptyText },
  insecure: { type: boolean, default: false },
} satisfies OptionTable<HttpOptions>;

/**
 * Returns the address and certificate of the HTTP server. The specification allows HTTPS only (what the service does,
 * 2). Plain HTTP is a deviation for this machine only.
 * @throws BusbarError `invalid-option`
 */
export async function httpSecurity(
  options: HttpOptions,
): Promise<{ readonly host: string; readonly tls: TlsFiles | undefined }> {
  const { host, tlsCert, tlsKey, insecure } = withDefaults(httpOptions, options);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const message = 'Options "http.tlsCert" and "http.tlsKey" need each other. Set both.';
    throw new BusbarError('invalid-option', message, { options: ['http.tlsCert', 'http.tlsKey'] });
  }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { host, tls: { cert: await readText(tlsCert), key: await readText(tlsKey) } };
  }
  if (options.https === true) {
    const { selfSigned } = await import('./tls.js');
    return { host, tls: await selfSigned(host) };
  }
  if (!isLoopback(host) && !insecure) {
    const message = `Other machines can read plain HTTP on ${quoted(host)}. Serve HTTPS with "https", or allow it with "insecure".`;
    throw new BusbarError('invalid-option', message, { options: ['https', 'insecure'] });
  }
  return { host, tls: undefined };
}

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
