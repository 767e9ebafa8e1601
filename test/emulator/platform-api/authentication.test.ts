import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/base/clock.js';
import { logLines } from '../../src/log-lines.js';
import { apiKey, basic, serve } from './serve.js';

const account = 'accounts/A-6CD32BA9/';
const obtain = (key: string) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    query: 'mutation ($key: String!) { obtainToken(input: { apiKey: $key }) { token expiresAt } }',
    variables: { key },
  }),
});

async function tokenFrom({ ask }: Awaited<ReturnType<typeof serve>>, key = apiKey) {
  const { status, body } = await ask('graphql/', obtain(key));
  expect(status).toBe(200);
  return (body as { data: { obtainToken: { token: string; expiresAt: string } } }).data.obtainToken;
}

describe('authentication', () => {
  it('takes a token with and without its word, and the API key as a user name', async () => {
    const api = await serve();
    const { token } = await tokenFrom(api);
    for (const header of [`Token ${token}`, token, basic(apiKey)]) {
      expect((await api.ask(account, { headers: { Authorization: header } })).status).toBe(200);
    }
  });

  it('makes a browser ask', async () => {
    const { ask } = await serve();
    const { status, headers } = await ask(account);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  it.each([
    ['nothing', undefined, 'not_authenticated'],
    ['an empty header', '', 'not_authenticated'],
    ['another scheme', `Bearer ${apiKey}`, 'invalid_authorization'],
    ['the word in small letters', `token ${apiKey}`, 'invalid_authorization'],
    ['the word and two spaces', `Token  ${apiKey}`, 'invalid_authorization'],
    ['a key as a token', `Token ${apiKey}`, 'invalid_token'],
    ['a password', basic(apiKey, 'secret'), 'password_not_empty'],
    ['another key', basic('sk_other'), 'invalid_api_key'],
    ['a key in other letters', basic(apiKey.toUpperCase()), 'invalid_api_key'],
    ['basic without credentials', 'Basic', 'invalid_token'],
    ['basic of nothing', 'Basic !!!!', 'invalid_api_key'],
    ['a token of nothing', 'Token .', 'invalid_token'],
  ])('refuses %s', async (_, header, code) => {
    const { refused } = await serve();
    const headers: Record<string, string> = header === undefined ? {} : { Authorization: header };
    expect(await refused(account, { headers })).toBe(`401 ${code}`);
  });

  it('refuses a foreign, a changed and an expired token', async () => {
    const clock = virtualClock(Date.UTC(2030, 0, 1));
    const api = await serve({ clock });
    const { token, expiresAt } = await tokenFrom(api);
    expect(expiresAt).toBe('2030-01-01T01:00:00.000Z');
    const refused = (text: string) => api.refused(account, { headers: { Authorization: `Token ${text}` } });
    const foreign = await tokenFrom(await serve({ clock }));
    expect(await refused(foreign.token)).toBe('401 invalid_token');
    expect(await refused(`z${token}`)).toBe('401 invalid_token');
    clock.advance(3_600_000 - 1);
    expect((await api.ask(account, { headers: { Authorization: token } })).status).toBe(200);
    clock.advance(1);
    expect(await refused(token)).toBe('401 expired_token');
  });

  it('generates a key if none is set, and prints it at start only', async () => {
    const logger = logLines();
    const { emulator, ask } = await serve({ logger, platformApi: { apiKeys: [] } });
    const [made, ...more] = emulator.apiKeys;
    expect(more).toEqual([]);
    expect(made).toMatch(/^sk_[\w-]{24}$/);
    expect((await ask(account, { headers: { Authorization: basic(made!) } })).status).toBe(200);
    expect(logger.lines).toEqual([]);
  });

  it('needs none for products', async () => {
    const { ask } = await serve();
    expect((await ask('products/', { headers: { Authorization: 'Token nonsense' } })).status).toBe(200);
  });

  it('gives no token for a key that is not known', async () => {
    const { ask } = await serve();
    const { body } = await ask('graphql/', obtain('sk_other'));
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'invalid_api_key' } }] });
  });

  it('names the mutation as configured', async () => {
    const { ask } = await serve({
      platformApi: { tokenMutation: 'obtainPlatformToken(credentials: { APIKey }) { jwt until }' },
    });
    const query = `mutation { obtainPlatformToken(credentials: { APIKey: "${apiKey}" }) { jwt until } }`;
    const { body } = await ask('graphql', { ...obtain(''), body: JSON.stringify({ query }) });
    const { jwt } = (body as { data: { obtainPlatformToken: { jwt: string } } }).data.obtainPlatformToken;
    expect((await ask(account, { headers: { Authorization: `Token ${jwt}` } })).status).toBe(200);
    await expect(serve({ platformApi: { tokenMutation: 'obtain' } })).rejects.toMatchObject({
      code: 'invalid-option',
    });
  });
});
