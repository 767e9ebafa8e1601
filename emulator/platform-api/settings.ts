import {
  boolean,
  listOf,
  matching,
  nonEmptyText,
  number,
  type OptionTable,
  whole,
  withDefaults,
} from '../../src/base/options.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
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

const defaultMutation = 'obtainToken(input: { apiKey }) { token expiresAt }';

// A colon ends the user name of HTTP basic authentication (RFC 7617, 2).
const apiKey = matching(
  /^[\x21-\x39\x3b-\x7e]{1,200}$/,
  '1 to 200 printable characters without spaces and colons',
);

/** {@link PlatformApiOptions}, as a table. */
export const platformApiOptions = {
  apiKeys: { type: listOf(apiKey), isSecret: true },
  products: { type: whole({ from: baseProductCount, to: 10_000 }), default: 120 },
  tokenMutation: { type: nonEmptyText, default: defaultMutation },
  varyErrorWording: { type: boolean, default: false },
  extraFields: { type: boolean, default: false },
  strictRequests: { type: boolean, default: false },
  rateLimit: { type: whole({ from: 1, to: 1_000_000 }) },
  latency: { type: whole({ from: 0, to: 60_000 }), default: 0, unit: 'milliseconds' },
  failRate: { type: number({ from: 0, to: 1 }), default: 0 },
} satisfies OptionTable<PlatformApiOptions>;

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

/** @param makeKey Called where no API key is given. @throws BusbarError `invalid-option` */
export function readSettings(options: PlatformApiOptions, makeKey: () => string): PlatformApiSettings {
  const { apiKeys = [], rateLimit, tokenMutation, ...rest } = withDefaults(platformApiOptions, options);
  return {
    ...rest,
    apiKeys: apiKeys.length === 0 ? [makeKey()] : apiKeys,
    tokenMutation: readMutation(tokenMutation),
    rateLimit,
  };
}

function readMutation(text: string): TokenMutation {
  const names = /^\s*(\w+)\s*\(\s*(\w+)\s*:\s*\{\s*(\w+)\s*\}\s*\)\s*\{\s*(\w+)\s+(\w+)\s*\}\s*$/.exec(text);
  const [, mutation = '', argument = '', apiKey = '', token = '', expiresAt = ''] = names ?? [];
  const all = [mutation, argument, apiKey, token, expiresAt];
  if (token !== expiresAt && all.every((name) => /^(?!__)[A-Za-z_]\w*$/.test(name))) {
    return { mutation, argument, apiKey, token, expiresAt };
  }
  throw new BusbarError(
    'invalid-option',
    `Option "tokenMutation" takes names as in ${quoted(defaultMutation)}.`,
  );
}
