import { describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { serve } from '../platform-api/serve.js';

const open = { http: { host: '0.0.0.0', insecure: true } };

/** Answers the HTTP status that an upgrade is refused with, or 101. */
function upgrade(address: string, options: ClientOptions = {}): Promise<number> {
  const socket = new WebSocket(address, 'busbar.v1', options);
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => {
      socket.on('error', () => undefined);
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
  });
}

describe('an emulator that other machines can reach', () => {
  it('requires its token, except for the platform API', async () => {
    const { url = '', streamUrl = '', pageUrl = '' } = (await serve(open)).emulator;
    const token = new URL(pageUrl).searchParams.get('token')!;
    expect(token.length).toBeGreaterThanOrEqual(24);
    for (const path of [
      '/',
      '/dashboard/catalogue',
      '/dashboard/course/1',
      `/?token=${token}x`,
      '/?token=',
    ]) {
      const response = await fetch(url + path, { redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ error: 'access-token-required' });
    }
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${url}/dashboard/catalogue`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${url}/v1/products/`)).status).toBe(200);

    const bare = streamUrl.split('?')[0]!;
    expect(await upgrade(bare)).toBe(401);
    expect(await upgrade(streamUrl)).toBe(101);
    expect(await upgrade(bare, { headers: { authorization } })).toBe(101);
    // The token does not let a page of another site in.
    expect(await upgrade(streamUrl, { headers: { origin: 'http://evil.example' } })).toBe(403);
  });

  it('sends a browser with the token a cookie and removes the token from the URL', async () => {
    const { url = '', pageUrl = '' } = (await serve(open)).emulator;
    const arrived = await fetch(`${pageUrl}&view=journeys`, { redirect: 'manual' });
    expect(arrived.status).toBe(303);
    expect(arrived.headers.get('location')).toBe('/?view=journeys');
    const cookie = arrived.headers.get('set-cookie')!;
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect((await fetch(url, { headers: { cookie: cookie.split(';')[0]! } })).status).toBe(200);
  });
});

it('requires no token on this machine', async () => {
  const { url = '', pageUrl, streamUrl = '' } = (await serve()).emulator;
  expect(pageUrl).toBe(`${url}/`);
  expect((await fetch(url)).status).toBe(200);
  expect(await upgrade(streamUrl)).toBe(101);
});
