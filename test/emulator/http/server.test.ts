import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { json, type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { logLines } from '../../src/log-lines.js';
import { lazyListener, lazyRoutes } from '../../../emulator/http/lazy-routes.js';
import { createHttpServer, type HttpServerOptions } from '../../../emulator/http/server.js';
import type { HttpService } from '../../../emulator/http/service.js';
import { respondToMalformed, lenientServerOptions } from '../../../emulator/http/malformed-requests.js';

const events = { path: '/events', about: 'The stream of events: attach with any WebSocket client.' };

/** A stream that refuses every connection. */
const full: HttpService = { ...events, upgrade: () => ({ status: 503, message: 'full' }) };

async function start(options: Partial<HttpServerOptions> = {}) {
  const http = await createHttpServer({ port: 0, ...options });
  onTestFinished(() => http.stop());
  return http;
}

/** Not fetch: it does not let anybody choose Host. */
async function get(url: string, headers: Record<string, string> = {}) {
  const asking = request(url, { headers }).end();
  const [response] = await once(asking, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode as number, headers: response.headers, text };
}

/** The server's response to those bytes, as JSON. */
async function send(url: string, bytes: string) {
  const { body, ...answer } = await sendRaw(url, bytes);
  return { ...answer, body: JSON.parse(body) as { code: string } };
}

async function sendRaw(url: string, bytes: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), text, head, body };
}

/** Returns the server's response to an upgrade to WebSocket. */
async function upgrade(url: string, headers: Record<string, string>) {
  const lines = Object.entries({ Connection: 'Upgrade', Upgrade: 'websocket', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendRaw(url, `GET ${new URL(url).pathname}?x=1 HTTP/1.1\r\n${head}\r\n`);
}

describe('the HTTP server', () => {
  it('lists its services on the front page', async () => {
    const { url } = await start({ services: [events] });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const { status, text, headers } = await get(`${url}/`);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(text).toContain(events.path);
    expect(text).toContain(events.about);
  });

  it('responds to an unknown path with the list of services, as JSON', async () => {
    const { url } = await start({ services: [events] });
    const { status, text } = await get(`${url}/event`);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ error: 'not-found', available: [{ path: '/' }, events] });
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'a header that is none',
      'GET /v1/products/ HTTP/1.1\r\nHost: localhost\r\nx y\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'headers that are too large',
      `GET /v1/products/ HTTP/1.1\r\nHost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a chunk with extensions that are too large',
      `POST /v1/products/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;${'y'.repeat(20_000)}\r\n`,
      413,
      'body_too_large',
    ],
    [
      'an unknown expectation',
      'GET /v1/products/ HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
      'expectation_failed',
    ],
  ])('answers %s as JSON, in the shape of the platform API', async (_, bytes, status, code) => {
    const { url } = await start();
    const answer = await send(url, bytes);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.any(String), code, errors: [] }]);
    expect(answer.head.toLowerCase()).toContain('content-type: application/json');
  });

  it.each([
    ['headers that are too large', `x: ${'y'.repeat(20_000)}`, 431, 'headers-too-large'],
    ['a header that is none', 'x y', 400, 'malformed-request'],
    ['an unknown expectation', 'Expect: tea\r\nConnection: close', 417, 'expectation-failed'],
  ])('refuses %s of another path in the shape of the control API', async (_, header, status, error) => {
    const { url } = await start();
    const response = await send(url, `GET /emulator/v1/run HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
    expect([response.status, response.body]).toEqual([status, { error, message: expect.any(String) }]);
  });

  it('responds to a request that does not arrive in time with JSON', async () => {
    const web = createServer({ ...lenientServerOptions, headersTimeout: 1, connectionsCheckingInterval: 1 });
    respondToMalformed(web);
    web.listen(0, '127.0.0.1');
    onTestFinished(() => void web.close());
    await once(web, 'listening');
    const { port } = web.address() as AddressInfo;
    const answer = await send(`http://127.0.0.1:${port}`, 'GET /v1/products/ HTTP/1.1\r\nHost: local');
    expect([answer.status, answer.body]).toEqual([
      408,
      { detail: expect.any(String), code: 'request_timeout', errors: [] },
    ]);
  });

  it('refuses a request without a Host header as JSON', async () => {
    const { url } = await start();
    const { status, body } = await send(url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect([status, body]).toMatchObject([403, { error: 'foreign-host' }]);
  });

  it('responds to a plain request for a stream with instructions', async () => {
    const { url } = await start({ services: [{ ...events, upgrade: () => undefined }] });
    const { status, text } = await get(`${url}/events`);
    expect(status).toBe(426);
    expect(text).toContain(`${url.replace('http', 'ws')}/events`);
  });

  it('accepts routes at any time and writes their errors to the log only', async () => {
    const logger = logLines();
    const { url, use } = await start({ logger });
    use('/front', (_request, response) => void response.send('ours'));
    expect((await get(`${url}/front`)).text).toBe('ours');
    use('/', (request, response, next) => {
      if (request.path === '/') response.send('ours, too');
      else next();
    });
    use('/bug', () => {
      throw new Error('secret');
    });
    expect((await get(`${url}/`)).text).toBe('ours, too');
    const { status, text } = await get(`${url}/bug`);
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(logger.lines).toEqual([
      expect.stringMatching(/^error: request failed .*"\/bug".*Error: secret\\n +at /),
    ]);
    expect((await get(`${url}/%E0%A4%A`)).status).toBeGreaterThanOrEqual(400);
  });

  it('responds to requests after loading routes, and with 500 if that fails', async () => {
    const logger = logLines();
    const { url, use } = await start({ logger });
    const routes: RequestHandler = (_request, response) => void response.send('here');
    const load = vi.fn(() => Promise.resolve(routes));
    use('/late', lazyRoutes(load));
    use(
      '/broken',
      lazyRoutes(() => Promise.reject(new Error('gone'))),
    );
    expect(load).not.toHaveBeenCalled();
    const answers = await Promise.all([1, 2, 3].map(() => get(`${url}/late`)));
    expect(answers.map(({ text }) => text)).toEqual(['here', 'here', 'here']);
    expect(load).toHaveBeenCalledOnce();
    expect((await get(`${url}/broken`)).status).toBe(500);
    expect(logger.lines).toEqual([
      expect.stringMatching(/^error: request failed .*"\/broken".*Error: gone\\n/),
    ]);
  });

  it('closes connections if the server cannot be loaded', async () => {
    const failed = vi.fn();
    const server = createServer(lazyListener(() => Promise.reject(new Error('gone')), failed));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await expect(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).rejects.toThrow(
      'hang up',
    );
    expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('gone'));
  });

  it('reports a port in use, and how to fix it', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    await expect(createHttpServer({ port: Number(port) })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringMatching(new RegExp(`"${port}".*Stop it, or set "http.port" to`)),
    });
  });

  it.each([
    ['a port that cannot be', { port: 70_000 }],
    ['an address that is not of this machine', { port: 0, host: '192.0.2.1' }],
  ])('refuses %s', async (_, options) => {
    await expect(createHttpServer(options)).rejects.toMatchObject({ code: 'invalid-option' });
  });

  it('closes its port when stopped, also with connections and more than once', async () => {
    const port = await restartPort();
    const http = await start({ port, services: [{ ...events, upgrade: () => undefined }] });
    const { url } = http;
    const idle = connect(port, '127.0.0.1');
    const upgraded = upgrade(`${url}/events`, { Host: 'localhost' });
    await once(idle, 'connect');
    await get(url);
    await Promise.all([http.stop(), http.stop()]);
    await http.stop();
    expect((await upgraded).text).toBe('');
    const again = await createHttpServer({ port });
    await again.stop();
  });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['127.0.0.1:4100', 200],
    ['[::1]:4100', 200],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example:4100', 403],
    ['evil.example/@localhost', 403],
    ['evil.example#@localhost', 403],
    ['user@localhost', 403],
    ['192.168.0.7', 403],
  ])('asked for by the host "%s" it answers %d', async (host, status) => {
    const { url } = await start();
    expect((await get(url, { Host: host })).status).toBe(status);
  });

  it.each([
    ['two Host headers', '/', ['localhost', 'evil.example'], 400, 'bad-request'],
    ['the same Host header twice', '/', ['localhost', 'localhost'], 400, 'bad-request'],
    ['a whole address of a foreign host', 'http://evil.example/', ['localhost'], 403, 'foreign-host'],
    ['a whole address with a user', 'http://localhost@evil.example/', ['localhost'], 403, 'foreign-host'],
    [
      'an address of ours, but a foreign Host header',
      'http://localhost/',
      ['evil.example'],
      403,
      'foreign-host',
    ],
    ['an address without a host', 'http:///', ['localhost'], 403, 'foreign-host'],
    ['a whole address and no Host header', 'http://localhost/', [], 403, 'foreign-host'],
  ])('refuses a request with %s, and an upgrade likewise', async (_what, target, hosts, status, code) => {
    const { url } = await start({ services: [full] });
    const named = hosts.map((host) => `Host: ${host}\r\n`).join('');
    const answer = await send(url, `GET ${target} HTTP/1.1\r\n${named}Connection: close\r\n\r\n`);
    expect([answer.status, answer.body]).toMatchObject([status, { error: code }]);
    const ask = `GET ${target}events HTTP/1.1\r\n${named}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect((await sendRaw(url, ask)).status).toBe(status);
  });

  it('responds to its own absolute URL like to the path', async () => {
    const { url } = await start({ services: [full] });
    const host = `Host: ${new URL(url).host}\r\n`;
    const front = await sendRaw(url, `GET ${url}/?x=1 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(front).toMatchObject({ status: 200, body: expect.stringContaining(events.about) });
    const ask = `GET ${url}/events?x=1 HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect((await sendRaw(url, ask)).status).toBe(503);
  });

  it('accepts any address and local name, but no public name, on all interfaces', async () => {
    const local = await start();
    expect((await get(local.url, { Host: '192.168.0.7' })).status).toBe(403);
    const open = await start({ host: '0.0.0.0' });
    expect(open.url).toMatch(/^http:\/\/localhost:\d+$/);
    const safe = ['192.168.0.7', '[fe80::1]:4100', 'emulator:4100', 'host.docker.internal', 'devbox.local'];
    for (const host of safe) expect((await get(open.url, { Host: host })).status, host).toBe(200);
    const { status, text } = await get(open.url, { Host: 'evil.example' });
    expect(status).toBe(403);
    expect(text).toContain(' 0.0.0.0, an address, or a name without dots.');
  });

  it.each([
    [{ Host: 'localhost:4100' }, 503],
    [{ Host: 'localhost:4100', Origin: 'http://localhost:4100' }, 503],
    [{ Host: 'localhost:4100', Origin: 'http://localhost:3000' }, 403],
    [{ Host: 'localhost:4100', Origin: 'https://evil.example' }, 403],
    [{ Host: 'localhost:4100', Origin: 'null' }, 403],
    [{ Host: 'evil.example', Origin: 'http://evil.example' }, 403],
  ])('hands an upgrade with %o on, or refuses it: %d', async (headers, status) => {
    const { url } = await start({ services: [full] });
    expect((await upgrade(`${url}/events`, headers as Record<string, string>)).status).toBe(status);
  });

  it('responds to an offer of HTTP/2 with HTTP/1.1, with a later body', async () => {
    const http = await start();
    http.use('/echo', json());
    http.use('/echo', (request, response) => void response.json(request.body));
    const connected = once(http.server, 'connection');
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const [connection] = (await connected) as [Socket];
    const listeners = new Set<number>();
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
    const head = `Host: 127.0.0.1\r\n${offer}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
    for (const body of ['{"a":123}', '{"b":456}']) {
      socket.write(`POST /echo HTTP/1.1\r\n${head}${body.slice(0, 4)}`);
      await once(http.server, 'request');
      socket.write(body.slice(4));
      let text = '';
      while (!text.endsWith(body)) text += String((await once(socket, 'data'))[0]);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      listeners.add(connection.listenerCount('close'));
    }
    // Otherwise each offer would leave one.
    expect(listeners.size).toBe(1);
  });

  it('lists its streams when an upgrade requests another one', async () => {
    const { url } = await start({ services: [full] });
    const { status, text } = await upgrade(`${url}/event`, { Host: 'localhost' });
    expect(status).toBe(404);
    expect(text).toContain('/events');
  });
});
