import { readFile } from 'node:fs/promises';
import { boolean, nonEmptyText, type OptionTable, withDefaults } from '../../src/base/options.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { selfSigned, type TlsFiles } from './tls.js';

/** Who can reach the HTTP server, and how. */
export interface HttpSecurityOptions {
  /** The address that it listens on. Default 127.0.0.1: this machine only. Another one needs HTTPS, or `insecure`. */
  readonly host?: string;
  /** Serve HTTPS, with a certificate that is made at start, or from the files of `tlsCert` and `tlsKey`. Default false. */
  readonly https?: boolean;
  /** Paths of PEM files; they mean HTTPS. */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Serve plain HTTP on an address that others reach. Default false. */
  readonly insecure?: boolean;
}

/** {@link HttpSecurityOptions}, as a table. */
export const httpSecurityOptions = {
  host: { type: nonEmptyText, default: '127.0.0.1' },
  https: { type: boolean, default: false },
  tlsCert: { type: nonEmptyText },
  tlsKey: { type: nonEmptyText },
  insecure: { type: boolean, default: false },
} satisfies OptionTable<HttpSecurityOptions>;

/**
 * The specification knows HTTPS only (what the service does, 2). Plain HTTP is our deviation, for this machine alone.
 * @throws BusbarError `invalid-option`, `file-failed`
 */
export async function httpSecurity(
  options: HttpSecurityOptions,
): Promise<{ readonly host: string; readonly tls: TlsFiles | undefined }> {
  const { host, tlsCert, tlsKey, insecure } = withDefaults(httpSecurityOptions, options);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new BusbarError('invalid-option', 'Options "tlsCert" and "tlsKey" go together: give both.');
  }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { host, tls: { cert: await readPem(tlsCert), key: await readPem(tlsKey) } };
  }
  if (options.https === true) return { host, tls: await selfSigned(host) };
  if (!isLoopback(host) && !insecure) {
    const message = `On ${quoted(host)} others can read what is sent over plain HTTP. Add "https", or "insecure" if they may.`;
    throw new BusbarError('invalid-option', message);
  }
  return { host, tls: undefined };
}

/** Whether only this machine reaches that address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `File ${quoted(path)} cannot be read: ${code}. Check its path.`;
    throw new BusbarError('file-failed', message, { cause: error });
  }
}
