import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { startEmulator } from '../emulator/index.js';
import { silentLogger } from '../src/base/logger.js';
import { type Measured, median } from './measure.js';

const rounds = 11;
const clients = 16;
const requestsPerRound = 1500;

/** Measures requests per second for products, relative to a bare express route with the same bytes. */
export async function* measure(): AsyncIterable<Measured> {
  const emulator = await startEmulator({
    scenario: 'house-move',
    run: { paused: true },
    kafka: false,
    http: { port: 0 },
    logger: silentLogger,
  });
  const ours = `${emulator.apiUrl ?? ''}products/?page_size=20`;
  const bytes = Buffer.from(await (await fetch(ours)).arrayBuffer());
  const bare = express().get('/v1/products/', (_request, response) => void response.type('json').send(bytes));
  const server = bare.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const floor = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/products/`;

  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ratios: number[] = [];
  for (let round = -2; round < rounds; round++) {
    // The order alternates, so that neither always collects the other's garbage.
    const [first, second] = round % 2 === 0 ? [ours, floor] : [floor, ours];
    const [one, other] = [await perSecond(first, agent), await perSecond(second, agent)];
    if (round >= 0) ratios.push(first === ours ? one / other : other / one);
  }
  agent.destroy();
  server.close();
  await emulator.stop();
  yield { case: 'products, to a bare express route', ratio: median(ratios), target: 0.6, atLeast: true };
}

async function perSecond(url: string, agent: Agent): Promise<number> {
  const begun = performance.now();
  let left = requestsPerRound;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
    });
  const client = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return requestsPerRound / ((performance.now() - begun) / 1000);
}
