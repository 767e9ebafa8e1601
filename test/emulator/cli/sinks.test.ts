import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBroker } from '../../../emulator/broker/index.js';
import { progressLine, showProgress } from '../../../emulator/cli/progress.js';
import type { Run, RunSummary } from '../../../emulator/index.js';
import { signature } from '../../../emulator/sinks/webhook.js';
import { silentLogger } from '../../../src/base/logger.js';
import { run, start } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-sinks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);
const moves = ['--scenario', 'house-move', '--instances', '5', '--instant'];

describe('emulate --to file', () => {
  it('writes the lines that standard output gets, in files of the size that is asked for', async () => {
    const to = ['--to', 'stdout', '--to', 'file', '--file', file('events.ndjson')];
    const { code, stdout } = await run('emulate', [...moves, ...to, '--file-max-events', '30']);
    expect(code).toBe(0);
    const first = readFileSync(file('events.ndjson'), 'utf8');
    expect(first.split('\n')).toHaveLength(31);
    expect(stdout.startsWith(first + readFileSync(file('events.2.ndjson'), 'utf8'))).toBe(true);
  });
});

describe('emulate --to webhook', () => {
  it('signs with the secret in a file, and never shows it', async () => {
    const requests: { body: Buffer; signed: string }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push({ body: Buffer.concat(chunks), signed: String(request.headers['busbar-signature']) });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(file('secret'), 'between us\n');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const to = ['--to', 'webhook', '--webhook-url', url, '--webhook-secret-file', file('secret')];
    const { code, stderr } = await run('emulate', [...moves, ...to]);
    server.close();
    expect(code).toBe(0);
    expect(stderr).toContain(`Done: ${requests.length} events`);
    expect(stderr).not.toContain('between us');
    for (const { body, signed } of requests) {
      const seconds = Number(/^t=(\d+),/.exec(signed)?.[1]);
      expect(signed).toBe(signature(body, 'between us', seconds * 1000));
    }
  });

  it('that gives up says how far the run got and how to go on', async () => {
    const taken: unknown[] = [];
    let isMended = false;
    const server = createServer((request, response) => {
      request.resume();
      if (taken.length === 7 && !isMended) {
        response.writeHead(503).end();
        return;
      }
      taken.push(request.headers['event-id']);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const to = ['--to', 'webhook', '--webhook-url', url, '--webhook-attempts', '2'];
    const record = ['--record', file('given-up.ndjson')];
    const { code, stderr } = await run('emulate', [...moves, ...to, ...record]);
    isMended = true;
    const resumed = await run('emulate', ['--resume', file('given-up.ndjson'), '--instant', ...to]);
    server.close();
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`Done: ${taken.length - 7} events`);
    expect(new Set(taken).size).toBe(taken.length);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /answered 503, the last of 2 times\. The run ends after 7 events: it got to virtual/,
    );
    expect(stderr).toMatch(/Go on with it by: emulate --resume ".*given-up\.ndjson"\.\n$/);
  });
});

describe('emulate --to kafka', () => {
  it('ends with the run; a broker that goes away ends it with what to do, and --resume goes on', async () => {
    const topics = [{ name: 'platform.events', partitions: 2 }];
    const broker = await startBroker({ port: 0, topics, logger: silentLogger });
    const to = ['--to', 'kafka', '--brokers', broker.bootstrapServers, '--kafka-retries', '1'];
    const many = ['--scenario', 'house-move', '--instances', '300', '--rate', '3000/s'];
    const record = ['--record', file('kafka.ndjson')];
    const going = start('emulate', [...many, ...to, ...record]);
    while (countOf(broker.inspect()) === 0) await new Promise(setImmediate);
    await broker.stop();
    await once(going.child, 'close');
    expect(going.child.exitCode).toBe(1);
    expect(going.output.stderr).toMatch(/did not take the events .* it got to virtual time .* --resume/);

    const other = await startBroker({ port: 0, topics, logger: silentLogger });
    const kafka = ['--to', 'kafka', '--brokers', other.bootstrapServers, '--instant'];
    const resumed = await run('emulate', ['--resume', file('kafka.ndjson'), ...kafka]);
    const sent = countOf(other.inspect());
    await other.stop();
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`Done: ${sent} events`);
    const whole = await run('emulate', [
      '--scenario',
      'house-move',
      '--instances',
      '300',
      '--instant',
      '--to',
      'stdout',
    ]);
    const replayed = await run('emulate', ['replay', file('kafka.ndjson'), '--instant', '--to', 'stdout']);
    expect(replayed.stdout).toBe(whole.stdout);
  });
});

describe('progress', () => {
  const summary: RunSummary = {
    events: 1234,
    first: 0,
    last: Date.UTC(2026, 2, 2, 9),
    byType: new Map(),
    byFault: new Map(),
    byBranch: new Map(),
    bySink: [
      { name: 'kafka', events: 1234 },
      { name: 'webhook', events: 1200 },
    ],
    stopped: false,
  };

  it('tells virtual time, events, their rate, and which sink is behind', () => {
    expect(progressLine(summary, 499.6)).toBe(
      '2026-03-02T09:00:00.000Z  1,234 events  500/s  kafka  webhook (34 behind)',
    );
  });

  it('is written over on a terminal, cleared in the end, and a line every ten seconds elsewhere', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const shown = (isTTY: boolean, milliseconds: number) => {
      const written: string[] = [];
      const output = { isTTY, columns: 40, write: (text: string) => written.push(text) };
      const hide = showProgress({ summary } as Run, output);
      vi.advanceTimersByTime(milliseconds);
      hide();
      vi.advanceTimersByTime(milliseconds);
      return written;
    };
    const clear = '\r\u001b[2K';
    const line = progressLine(summary, 0);
    const cut = clear + line.slice(0, 39);
    expect(shown(true, 600)).toEqual([cut, cut, clear]);
    expect(shown(false, 9_999)).toEqual([]);
    expect(shown(false, 20_000)).toEqual([`${line}\n`, `${line}\n`]);
  });
});

interface State {
  readonly topics: readonly { readonly partitions: readonly { readonly endOffset: number }[] }[];
}

function countOf({ topics }: State): number {
  return topics.flatMap(({ partitions }) => partitions).reduce((sum, { endOffset }) => sum + endOffset, 0);
}
