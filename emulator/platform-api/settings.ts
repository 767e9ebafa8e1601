import { randomBytes } from 'node:crypto';
import { boolean, listOf, matching, number, type OptionTable, whole, withDefaults } from 'busbar/base';

/** Options of the platform's REST API. */
export interface PlatformApiOptions {
  /** The valid API keys. Default: a random one, generated at start. */
  readonly apiKeys?: readonly string[];
  /** The names in the mutation that returns a token. Default `obtainToken(input: { apiKey }) { token expiresAt }`. */
  readonly tokenMutation?: string;
  /** Whether to reword the `detail` of each error, for clients that must not parse it. Default false. */
  readonly varyErrorWording?: boolean;
  /** Whether to add undocumented fields to all objects in responses. Default false. */
  readonly extraFields?: boolean;
  /** Whether to refuse undocumented fields of data-import payloads; false ignores them. Default false. */
  readonly strictRequests?: boolean;
  /** The maximum requests per second of all clients; others get a 429. Default: no limit. */
  readonly rateLimit?: number;
  /** The delay of every response in milliseconds. Default 0. */
  readonly latency?: number;
  /** The share of requests, 0 to 1, that get a 500, 502 or 503, by the seed at start, also after a reset. Default 0. */
  readonly failRate?: number;
}

const defaultMutation = 'obtainToken(input: { apiKey }) { token expiresAt }';

// A colon ends the user name of HTTP basic authentication (RFC 7617, 2).
const apiKey = matching(
  /^[\x21-\x39\x3b-\x7e]{1,200}$/,
  '1 to 200 printable characters without spaces and colons',
);

export const platformApiOptions = {
  apiKeys: { type: listOf(apiKey), isSecret: true },
  tokenMutation: {
    type: {
      expected: `a mutation, e.g. ${defaultMutation}`,
      accepts: (value: unknown) => typeof value === 'string' && mutationIn(value) !== undefined,
    },
    default: defaultMutation,
  },
  varyErrorWording: { type: boolean, default: false },
  extraFields: { type: boolean, default: false },
  strictRequests: { type: boolean, default: false },
  rateLimit: { type: whole({ from: 1, to: 1_000_000 }) },
  latency: { type: whole({ from: 0, to: 60_000 }), default: 0, unit: 'milliseconds' },
  failRate: { type: number({ from: 0, to: 1 }), default: 0 },
} satisfies OptionTable<PlatformApiOptions>;

export type PlatformApiSettings = ReturnType<typeof readSettings>;
export type TokenMutation = NonNullable<ReturnType<typeof mutationIn>>;

/** Applies defaults to validated options. Generates an API key if they have none. */
export function readSettings(options: PlatformApiOptions) {
  const { apiKeys = [], tokenMutation, ...rest } = withDefaults(platformApiOptions, options);
  return {
    ...rest,
    apiKeys: apiKeys.length === 0 ? [`sk_${randomBytes(18).toString('base64url')}`] : apiKeys,
    tokenMutation: mutationIn(tokenMutation) as TokenMutation,
  };
}

function mutationIn(text: string) {
  const names = /^\s*(\w+)\s*\(\s*(\w+)\s*:\s*\{\s*(\w+)\s*\}\s*\)\s*\{\s*(\w+)\s+(\w+)\s*\}\s*$/.exec(text);
  const [, mutation = '', argument = '', apiKey = '', token = '', expiresAt = ''] = names ?? [];
  const all = [mutation, argument, apiKey, token, expiresAt];
  const isPossible = token !== expiresAt && all.every((name) => /^(?!__)[A-Za-z_]\w*$/.test(name));
  return isPossible ? { mutation, argument, apiKey, token, expiresAt } : undefined;
}
