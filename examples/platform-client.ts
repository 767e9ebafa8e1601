/**
 * A typed client of the platform's REST API: products, and an account by its number.
 *
 *     emulate --scenario house-move --api-key sk_test
 *     node platform-client.js http://127.0.0.1:4100/v1/ sk_test A-6CD32BA9
 */
import { pathToFileURL } from 'node:url';
import type { platformApi } from 'busbar/catalogue';

type Paths = platformApi.GetPaths;

/** Returns a client of the API at an address that ends in `/v1/`. Only accounts need a token. */
export function platformClient(base: string, token?: string) {
  const request = async (url: URL, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(url, init);
    const body: unknown = await response.json();
    if (response.ok) return body;
    const { code, errors } = body as platformApi.Error;
    throw new Error(
      `${response.status} ${code} ${errors.map((each) => `${each.attr}: ${each.code}`).join(', ')}`,
    );
  };
  return {
    /** Gets a path of the OpenAPI document, which types the query and the response. */
    async get<P extends keyof Paths>(
      path: P,
      parts: Readonly<Record<string, string>> = {},
      query: Paths[P]['query'] = {},
    ): Promise<Paths[P]['response']> {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(parts[name] ?? ''),
      );
      const url = new URL(`.${filled}`, base);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Token ${token}` };
      return (await request(url, { headers })) as Paths[P]['response'];
    },
    /** Posts a body, e.g. of a data import. The error names each invalid member. */
    async post(path: string, body: object): Promise<unknown> {
      return request(new URL(`.${path}`, base), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Token ${token}` }) },
        body: JSON.stringify(body),
      });
    },
    /** Returns a client with a token. */
    async authenticate(apiKey: string) {
      const query = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }';
      const { data } = (await request(new URL('graphql/', base), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables: { input: { apiKey } } }),
      })) as { data: { obtainToken: { token: string } } | null };
      if (data === null) throw new Error('The API key is invalid.');
      return platformClient(base, data.obtainToken.token);
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , base = 'http://127.0.0.1:4100/v1/', apiKey = '', number = ''] = process.argv;
  const client = await platformClient(base).authenticate(apiKey);
  const green = await client.get('/products/', {}, { is_green: true });
  console.log(`${green.count} green products, the first is ${green.results[0]?.code ?? 'none'}`);
  const account = await client.get('/accounts/{account_number}/', { account_number: number });
  for (const { town, moved_in_at, moved_out_at } of account.properties) {
    console.log(`${number} in ${town}: ${moved_in_at ?? 'soon'} to ${moved_out_at ?? 'now'}`);
  }
}
