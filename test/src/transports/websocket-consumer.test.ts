import { createConsumer, openCatalogue } from 'busbar';
import { websocket } from 'busbar/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emission } from '../../emulator/sinks/emissions.js';
import { range, turns } from '../../emulator/sinks/raw-client.js';
import { streamServer } from '../../emulator/sinks/stream-server.js';
import { logLines } from '../log-lines.js';
import { accountCreated, envelope, headersOf } from '../records.js';

const catalogue = openCatalogue();

/** `account.created`, with its number as account number. */
function account(n: number) {
  const event = { ...accountCreated, payload: { account_number: String(n), account_user_emails: [] } };
  return emission(n, { key: `key-${n % 7}`, bytes: Buffer.from(envelope(event)), headers: headersOf(event) });
}

describe('a consumer on a WebSocket', () => {
  it('handles every event once despite lost connections', async () => {
    const { sink, url, sever } = await streamServer({ history: { records: 50, bytes: 1e6 } });
    const seen: string[] = [];
    const logger = logLines();
    const consumer = createConsumer({ catalogue, logger });
    consumer.on('account.created', 'v1', async (event) => {
      await turns(1);
      seen.push(event.payload.account_number);
    });
    const transport = websocket({ url, consumer: 'billing', reconnect: { minDelay: 1 } });
    const running = await consumer.run(transport, { window: 10 });
    onTestFinished(() => running.stop());
    for (let first = 1; first <= 500; first += 100) {
      await sink.write(range(first, first + 99).map(account));
      expect(seen.length).toBeGreaterThanOrEqual(first + 99 - 50);
      sever();
    }
    await sink.end();
    await running.finished;
    expect(seen).toEqual(range(1, 500).map(String));
  });

  it('resumes in its next run after the last settled record', async () => {
    const { sink, url } = await streamServer();
    const seen: string[] = [];
    const consumer = createConsumer({ catalogue, logger: logLines() });
    consumer.on('account.created', 'v1', (event) => void seen.push(event.payload.account_number));
    for (let first = 1; first <= 30; first += 10) {
      const running = await consumer.run(websocket({ url }));
      await sink.write(range(first, first + 9).map(account));
      while (seen.length < first + 9) await turns(1);
      await running.stop();
    }
    expect(seen).toEqual(range(1, 30).map(String));
  });
});
