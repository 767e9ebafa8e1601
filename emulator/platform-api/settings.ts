import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import { baseProductCount } from './base-products.js';

/** How the emulator serves the platform's REST API. */
export interface PlatformApiOptions {
  /** API keys that clients may use. Default: one that is made up at start. */
  readonly apiKeys?: readonly string[];
  /** How many products there are, up to 10,000. Default 120. */
  readonly products?: number;
  /** The mutation that gives a token, with other names. Default `obtainToken(input: { apiKey }) { token expiresAt }`. */
  readonly tokenMutation?: string;
  /** Word the `detail` of errors differently from answer to answer, for clients that must not read it. Default false. */
  readonly varyErrorWording?: boolean;
  /** Add fields that are not documented to every object that is answered. Default false. */
  readonly extraFields?: boolean;
  /** Refuse fields of data-import payloads that are not documented, instead of ignoring them. Default false. */
  readonly strictRequests?: boolean;
  /** Requests a second, of all clients together, before they get a 429. Default no limit. */
  readonly rateLimit?: number;
  /** Milliseconds that every answer waits. Default 0. */
  readonly latency?: number;
  /** Share of requests, 0 to 1, that get a 500, 502 or 503: by the seed at start, also after a reset. Default 0. */
  readonly failRate?: number;
}

export interface PlatformApiSettings
  extends Required<Omit<PlatformApiOptions, 'tokenMutation' | 'rateLimit'>> {
  readonly tokenMutation: TokenMutation;
  readonly rateLimit: number | undefined;
}

/** The names of the mutation that gives a token. */
export interface TokenMutation {
  readonly mutation: string;
  readonly argument: string;
  readonly apiKey: string;
  readonly token: string;
  readonly expiresAt: string;
}

const defaultMutation = 'obtainToken(input: { apiKey }) { token expiresAt }';

/** @param makeKey Called where no API key is given. @throws BusbarError `invalid-option` */
export function readSettings(options: PlatformApiOptions, makeKey: () => string): PlatformApiSettings {
  const { apiKeys, products = 120, latency = 0, failRate = 0, rateLimit } = options;
  // A colon ends the user name of HTTP basic authentication (RFC 7617, 2).
  if (apiKeys?.some((key) => !/^[\x21-\x39\x3b-\x7e]{1,200}$/.test(key))) {
    throw invalid('apiKey', 'takes 1 to 200 printable characters without spaces and colons');
  }
  within('products', products, baseProductCount, 10_000);
  within('latency', latency, 0, 60_000);
  if (!(failRate >= 0 && failRate <= 1))
    throw invalid('failRate', `takes a share from 0 to 1, not ${failRate}`);
  if (rateLimit !== undefined) within('rateLimit', rateLimit, 1, 1_000_000);
  return {
    apiKeys: apiKeys === undefined || apiKeys.length === 0 ? [makeKey()] : apiKeys,
    products,
    tokenMutation: readMutation(options.tokenMutation ?? defaultMutation),
    varyErrorWording: options.varyErrorWording ?? false,
    extraFields: options.extraFields ?? false,
    strictRequests: options.strictRequests ?? false,
    rateLimit,
    latency,
    failRate,
  };
}

function readMutation(text: string): TokenMutation {
  const names = /^\s*(\w+)\s*\(\s*(\w+)\s*:\s*\{\s*(\w+)\s*\}\s*\)\s*\{\s*(\w+)\s+(\w+)\s*\}\s*$/.exec(text);
  const [, mutation = '', argument = '', apiKey = '', token = '', expiresAt = ''] = names ?? [];
  const all = [mutation, argument, apiKey, token, expiresAt];
  if (token !== expiresAt && all.every((name) => /^(?!__)[A-Za-z_]\w*$/.test(name))) {
    return { mutation, argument, apiKey, token, expiresAt };
  }
  throw invalid('tokenMutation', `takes names as in ${quoted(defaultMutation)}`);
}

function within(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw invalid(option, `takes a whole number from ${least} to ${most}, not ${value}`);
}

function invalid(option: string, wanted: string): BusbarError {
  return new BusbarError('invalid-option', `Option "${option}" ${wanted}.`);
}
