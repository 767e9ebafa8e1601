import type { InferredOptionTypes } from 'yargs';
import type { HttpSecurityOptions, PlatformApiOptions } from '../index.js';
import { given } from './given.js';
import { parseShare } from './parse-options.js';

/** What is served over HTTP, and to whom, as yargs takes it. */
export const httpOptions = {
  host: {
    type: 'string',
    requiresArg: true,
    describe: 'Address of the HTTP server (127.0.0.1); others need --https, or --insecure',
  },
  https: { type: 'boolean', describe: 'HTTPS with a certificate made at start; plain HTTP is refused' },
  'tls-cert': { type: 'string', requiresArg: true, describe: 'HTTPS with the certificate in this PEM file' },
  'tls-key': { type: 'string', requiresArg: true, describe: 'Its key' },
  insecure: { type: 'boolean', describe: 'Plain HTTP on an address that others reach' },
  'api-key': {
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
    describe: 'A key that clients of the REST API may use; without it, one is made and shown',
  },
  products: { type: 'number', requiresArg: true, describe: 'How many products the REST API has (120)' },
  'token-mutation': {
    type: 'string',
    requiresArg: true,
    describe: 'Other names: obtainToken(input: { apiKey }) { token expiresAt }',
  },
  'vary-error-wording': { type: 'boolean', describe: 'Details of REST errors change; codes stay' },
  'extra-fields': { type: 'boolean', describe: 'REST answers have fields that are not documented' },
  'strict-requests': { type: 'boolean', describe: 'Data imports with undocumented fields are refused' },
  'rate-limit': { type: 'number', requiresArg: true, describe: 'REST requests a second; more get a 429' },
  latency: { type: 'number', requiresArg: true, describe: 'Milliseconds that REST answers wait' },
  'fail-rate': { type: 'string', requiresArg: true, describe: 'Share of REST requests that get a 5xx: 2%' },
} as const;

/** What they mean to the emulator. */
export function httpGiven(
  args: InferredOptionTypes<typeof httpOptions>,
): HttpSecurityOptions & { readonly platformApi?: PlatformApiOptions } {
  const platformApi = {
    ...given('apiKeys', args['api-key']),
    ...given('products', args.products),
    ...given('tokenMutation', args['token-mutation']),
    ...given('varyErrorWording', args['vary-error-wording']),
    ...given('extraFields', args['extra-fields']),
    ...given('strictRequests', args['strict-requests']),
    ...given('rateLimit', args['rate-limit']),
    ...given('latency', args.latency),
    ...given('failRate', args['fail-rate'], (text) => parseShare('fail-rate', text)),
  };
  return {
    ...given('host', args.host),
    ...given('https', args.https),
    ...given('tlsCert', args['tls-cert']),
    ...given('tlsKey', args['tls-key']),
    ...given('insecure', args.insecure),
    ...(Object.keys(platformApi).length > 0 && { platformApi }),
  };
}
