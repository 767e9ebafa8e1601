import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { serve } from '../platform-api/serve.js';

const pem = (name: string) => fileURLToPath(new URL(`../broker/tls/localhost-${name}.pem`, import.meta.url));

async function get(url: string) {
  const [response] = (await once(httpsRequest(url, { rejectUnauthorized: false }).end(), 'response')) as [
    IncomingMessage,
  ];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
}

describe('HTTPS', () => {
  it.each([
    ['a certificate made at start', { https: true }],
    ['given files', { tlsCert: pem('cert'), tlsKey: pem('key') }],
  ])('serves the REST API with %s, with locators that are https', async (_, options) => {
    const { base } = await serve({ http: options });
    expect(base).toMatch(/^https:/);
    const { status, text } = await get(`${base}products/`);
    expect(status).toBe(200);
    expect((JSON.parse(text) as { next: string }).next).toBe(`${base}products/?page=2`);
  });

  it('refuses plain HTTP on its port with a message', async () => {
    const { base } = await serve({ http: { https: true } });
    const response = await fetch(`${base.replace('https', 'http')}products/`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'https_required', errors: [] });
  });

  it.each([
    ['HTTP without a host', 'GET / HTTP/1.1\r\n\r\n', 'https_required'],
    ['what is not even HTTP', 'hello\r\n\r\n', 'malformed_request'],
  ])('refuses %s in words too', async (_, bytes, code) => {
    const { base } = await serve({ http: { https: true } });
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code, errors: [] });
  });

  it('stops despite a connection without data', async () => {
    const { base, emulator } = await serve({ http: { https: true } });
    const silent = connect(Number(new URL(base).port), '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await emulator.stop();
    await closed;
  });

  it('serves the stream on wss', async () => {
    const { emulator } = await serve({ http: { https: true } });
    expect(emulator.streamUrl).toMatch(/^wss:/);
    const socket = new WebSocket(emulator.streamUrl!, 'busbar.v1', { rejectUnauthorized: false });
    await once(socket, 'open');
    socket.send('{"type":"subscribe","mode":"observe"}');
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(String(message)).toContain('"welcome"');
    socket.terminate();
  });
});

describe('plain HTTP', () => {
  it('listens on this machine only, unless "insecure" is set', async () => {
    await expect(serve({ http: { host: '0.0.0.0' } })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('"0.0.0.0"'),
    });
    const { ask } = await serve({ http: { host: '0.0.0.0', insecure: true } });
    expect((await ask('products/')).status).toBe(200);
  });

  it.each([
    [{ tlsCert: pem('cert') }, 'invalid-option'],
    [{ tlsCert: pem('cert'), tlsKey: '/nowhere.pem' }, 'invalid-option'],
    [{ tlsCert: pem('key'), tlsKey: pem('cert') }, 'invalid-option'],
  ])('refuses %j', async (options, code) => {
    await expect(serve({ http: options })).rejects.toMatchObject({ code });
  });
});
