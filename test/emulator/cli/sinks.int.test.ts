import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBroker } from '../../../emulator/broker/index.js';
import { type Flag, flagsByName, shownDefault } from '../../../src/cli/flags.js';
import { sinkParameters } from '../../../emulator/cli/open-sinks.js';
import { apiParameters } from '../../../emulator/cli/run-flags.js';
import { progressLine, progressOf } from '../../../emulator/cli/progress.js';
import { showProgress } from '../../../src/cli/progress.js';
import type { RunSummary } from '../../../emulator/index.js';
import { signature } from '../../../emulator/sinks/webhook.js';
import { silentLogger } from '../../../src/base/logger.js';
import { run, start } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-sinks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);
const moves = ['--scenario', 'house-move', '--instances', '5', '--instant'];

describe('emulate --to file', () => {
  it('writes the lines of standard output into files of the requested size', async () => {
    const to = ['--to', 'stdout', '--to', `file:${file('events.ndjson')}?max-events=30`];
    const { code, stdout } = await run('emulate', [...moves, ...to]);
    expect(code).toBe(0);
    const first = readFileSync(file('events.ndjson'), 'utf8');
    expect(first.split('\n')).toHaveLength(31);
    expect(stdout.startsWith(first + readFileSync(file('events.2.ndjson'), 'utf8'))).toBe(true);
  });
});

describe('emulate --to webhook', () => {
  it('signs with the secret of the environment, and prints neither it nor the query', async () => {
    const requests: { body: Buffer; signed: string; url: string | undefined }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const signed = String(request.headers['busbar-signature']);
        requests.push({ body: Buffer.concat(chunks), signed, url: request.url });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?batch=10&key=a%20b`;
    process.env.BUSBAR_WEBHOOK_SECRET = 'between us';
    const { code, stderr } = await run('emulate', [...moves, '--to', url]).finally(() => {
      delete process.env.BUSBAR_WEBHOOK_SECRET;
    });
    server.close();
    expect(code).toBe(0);
    const sent = requests.flatMap(({ body }) => JSON.parse(body.toString()) as unknown[]);
    expect(stderr).toContain(`Done: ${sent.length} events`);
    expect(stderr).not.toMatch(/between us|key=/);
    for (const { body, signed, url } of requests) {
      expect(url).toBe('/hook?key=a%20b');
      const seconds = Number(/^t=(\d+),/.exec(signed)?.[1]);
      expect(signed).toBe(signature(body, 'between us', seconds * 1000));
    }
  });

  it('reports the progress and how to resume when it gives up', async () => {
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
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?attempts=2`;
    const to = ['--to', `webhook:${url}`];
    const record = ['--record', file('given-up.ndjson')];
    const { code, stderr } = await run('emulate', [...moves, ...to, ...record]);
    isMended = true;
    const resumed = await run('emulate', ['--resume', file('given-up.ndjson'), '--instant', ...to]);
    server.close();
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`Done: ${taken.length - 7} events`);
    expect(new Set(taken).size).toBe(taken.length);
    expect(code).toBe(1);
    expect(stderr).toMatch(/responded with 503 at attempt 2 of 2\. The run ends after 7 events, at virtual/);
    expect(stderr).toMatch(/Resume it with: npx emulate --resume ".*given-up\.ndjson"\.\n$/);
  });
});

describe('emulate --to kafka', () => {
  it.each([
    ['a scenario', '--scenario house-mov', 'Did you mean "house-move"?'],
    ['an outcome', '--scenario house-move --branch outcome=new', 'called "new". There are: "moved"'],
    ['a recording', 'replay nofile.ndjson', 'File "nofile.ndjson" cannot be read: ENOENT.'],
    ['an event', 'replay nofile.ndjson --only bills.*', 'No event of the catalogue matches "bills.*".'],
  ])('refuses %s that does not exist before it connects', async (_, words, message) => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await run('emulate', `${words} --to kafka://127.0.0.1:${port}/t`);
    server.close();
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(connections).toBe(0);
  });

  it('ends with the run, and resumes after a lost broker with --resume', async () => {
    const topics = [{ name: 'platform.events', partitions: 2 }];
    const broker = await startBroker({ port: 0, topics, logger: silentLogger });
    const to = ['--to', `kafka://${broker.bootstrapServers}/platform.events?retries=1`];
    const many = ['--scenario', 'house-move', '--instances', '100', '--rate', '1000/s'];
    const record = ['--record', file('kafka.ndjson')];
    const going = start('emulate', [...many, ...to, ...record]);
    await expect.poll(() => countOf(broker.inspect())).toBeGreaterThan(0);
    await broker.stop();
    await once(going.child, 'close');
    expect(going.child.exitCode).toBe(1);
    expect(going.output.stderr).toMatch(/did not accept the events .* at virtual time .* --resume/);

    const other = await startBroker({ port: 0, topics, logger: silentLogger });
    const kafka = ['--to', 'kafka', '--brokers', other.bootstrapServers, '--instant'];
    const resumed = await run('emulate', ['--resume', file('kafka.ndjson'), ...kafka]);
    const sent = countOf(other.inspect());
    await other.stop();
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`Done: ${sent} events`);
    const whole = await run('emulate', '--scenario house-move --instances 100 --instant --to stdout');
    const replayed = await run('emulate', ['replay', file('kafka.ndjson'), '--instant', '--to', 'stdout']);
    expect(replayed.stdout).toBe(whole.stdout);
  });
});

describe('the documentation of --to and --api', () => {
  const row = ([name, flag]: [string, Flag]) => {
    const parameter = (flag.value === undefined ? name : `${name}=${flag.value}`).replace('|', '\\|');
    const usual = shownDefault(flag) ?? '';
    return `| \`${parameter}\` | ${flag.text} | ${usual.includes(' ') ? `\`${usual}\`` : usual}${usual && ' '}|`;
  };

  it('lists each parameter with its default', () => {
    const [sinks, api] = ['docs/guides/sinks.md', 'docs/guides/rest-api.md'].map((page) =>
      readFileSync(page, 'utf8'),
    );
    const parameters = Object.entries(sinkParameters).flatMap(([kind, table]) =>
      [...flagsByName(table)].map((each) => `| \`${kind}\` ${row(each)}`),
    );
    expect(parameters.filter((line) => !sinks!.includes(line))).toEqual([]);
    expect([...flagsByName(apiParameters)].map(row).filter((line) => !api!.includes(line))).toEqual([]);
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

  it('shows virtual time, events, their rate, and slow sinks', () => {
    expect(progressLine(summary, 499.6)).toBe(
      '2026-03-02T09:00:00.000Z  1,234 events  500/s  kafka  webhook (34 behind)',
    );
  });

  it('overwrites its line on a terminal, and adds a line every ten seconds elsewhere', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const shown = (isTTY: boolean, milliseconds: number) => {
      const written: string[] = [];
      const output = { isTTY, columns: 40, write: (text: string) => written.push(text) };
      const hide = showProgress(progressOf({ summary }), output);
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
    vi.stubEnv('TERM', 'dumb');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(shown(true, 20_000)).toEqual([`${line}\n`, `${line}\n`]);
  });
});

interface State {
  readonly topics: readonly { readonly partitions: readonly { readonly endOffset: number }[] }[];
}

function countOf({ topics }: State): number {
  return topics.flatMap(({ partitions }) => partitions).reduce((sum, { endOffset }) => sum + endOffset, 0);
}
