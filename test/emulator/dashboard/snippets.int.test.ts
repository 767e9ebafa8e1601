import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  asCommand,
  asCurl,
  asHandler,
  asJson,
  asKcat,
  asTest,
  type Written,
} from '../../../emulator/dashboard/client/event/snippets.js';
import { clientsOf, streamClient } from '../../../emulator/dashboard/client/start/clients.js';
import { cloudEventsEnvelope } from '../../../src/index.js';
import { commands } from '../../command.js';
import { expectToCompile } from '../../compile.js';
import { play } from '../scenarios/play.js';
import { emulator, openPage, paused } from './open-page.js';

const run = promisify(execFile);
const lacksKcat = spawnSync('kcat', ['-V']).error !== undefined;

/** Returns one event of each type of a few scenarios. */
async function written(): Promise<Written[]> {
  const seen = new Map<string, Written>();
  for (const scenario of ['house-move', 'billing-cycle']) {
    for (const { envelope, bytes, key } of await play(scenario, { seed: 3, instances: 3 })) {
      const { event_type: type, version, payload } = envelope;
      seen.set(`${type}-${version}`, { type, version, key, line: bytes.toString(), payload });
    }
  }
  return [...seen.values()];
}

it('the dashboard shows programs that compile, for clients and for copied events', async () => {
  const ofStartPage = {
    kafka: clientsOf('127.0.0.1:9092')[0]![1],
    stream: streamClient('ws://127.0.0.1:4100/events'),
  };
  const ofEvents = Object.fromEntries(
    (await written()).flatMap((event) => [
      [`${event.type}-${event.version} handler`, asHandler(event)],
      [`${event.type}-${event.version} test`, asTest(event)],
    ]),
  );
  expect(Object.keys(ofEvents).length).toBeGreaterThan(40);
  expectToCompile({ ...ofStartPage, ...ofEvents });
});

describe('the copied form of an event', () => {
  it('sends the same payload as a shell command', async () => {
    const payload = {
      account_number: 'A-1B2C3D4E',
      account_user_emails: ["o'neil@example.com", '$(touch x)`y`"'],
    };
    const event = { type: 'account.created', version: 'v1', payload };
    const command = asCommand(event).replace('npx emulate', `"${process.execPath}" "${commands.emulate}"`);
    const sent = execFileSync('sh', ['-c', command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect((JSON.parse(sent) as { payload: unknown }).payload).toEqual(payload);
  });

  it('sends the same payload by curl', async () => {
    const { url, run: ofEvents } = await emulator();
    const payload = { account_number: 'A-1B2C3D4E', account_user_emails: ["o'neil@example.com", '$(x)`y`"'] };
    await run('sh', ['-c', asCurl({ type: 'account.created', version: 'v1', payload }, url)]);
    await expect.poll(() => ofEvents.summary.byType.get('account.created')).toBe(1);
    const { entries } = (await (await fetch(`${url}/emulator/v1/events`)).json()) as {
      entries: { event: { payload: unknown } }[];
    };
    expect(entries[0]?.event.payload).toEqual(payload);
  });

  it.skipIf(lacksKcat)('writes the same record by kcat', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const headers = { 'event-id': "it's $x" };
    const value = '{"payload":{"a":"$(x)`y`\'"}}';
    const servers = started.bootstrapServers!;
    await run('sh', ['-c', asKcat('A-1B2C3D4E', { headers, value }, servers)]);
    const read = ['-C', '-b', servers, '-t', 'platform.events', '-e', '-q', '-f', '%k|%h|%s'];
    const { stdout } = await run('kcat', read);
    expect(stdout).toBe(`A-1B2C3D4E|event-id=it's $x|${value}`);
  });

  it.skipIf(lacksKcat)('writes the same record by kcat in another envelope', async () => {
    const envelope = cloudEventsEnvelope({ mode: 'binary' });
    const started = await emulator({ ...paused, kafka: { port: 0 }, envelope });
    started.run.step();
    const page = await openPage(`${started.url}/?event=1`);
    await page.getByRole('button', { name: 'kcat', exact: true }).click();
    const code = page.getByLabel('The event as kcat');
    await expect.poll(() => code.textContent()).toContain('kcat -P');
    await run('sh', ['-c', (await code.textContent())!]);
    const read = [
      '-C',
      '-b',
      started.bootstrapServers!,
      '-t',
      'platform.events',
      '-e',
      '-q',
      '-f',
      '%k|%h|%s\n',
    ];
    const { stdout } = await run('kcat', read);
    const records = stdout.trimEnd().split('\n');
    expect(records.length).toBeGreaterThan(1);
    const first = records.filter((record) => record === records[0]);
    expect(first).toHaveLength(2);
    expect(first[0]).toContain('ce_type=');
  });

  it('equals the sent JSON, or the line if it is not JSON', () => {
    const event = {
      type: 't',
      version: 'v1',
      key: null,
      line: '{"a":[1,"\\u2028"]}',
      payload: {},
    };
    expect(JSON.parse(asJson(event))).toEqual(JSON.parse(event.line));
    expect(asJson({ ...event, line: '{"a":' })).toBe('{"a":');
  });
});
