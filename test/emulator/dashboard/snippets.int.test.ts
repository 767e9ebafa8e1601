import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  asCommand,
  asHandler,
  asJson,
  asTest,
  type Written,
} from '../../../emulator/dashboard/client/event/snippets.js';
import { clientsOf, streamClient } from '../../../emulator/dashboard/client/start/clients.js';
import { commands } from '../../command.js';
import { expectToCompile } from '../../compile.js';
import { play } from '../scenarios/play.js';

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

describe('a program of the start page', () => {
  it('compiles', () => {
    expectToCompile({
      kafka: clientsOf('127.0.0.1:9092')[0]![1],
      stream: streamClient('ws://127.0.0.1:4100/events'),
    });
  });
});

describe('the copied form of an event', () => {
  it('compiles as a handler and as a test', async () => {
    const sources = Object.fromEntries(
      (await written()).flatMap((event) => [
        [`${event.type}-${event.version} handler`, asHandler(event)],
        [`${event.type}-${event.version} test`, asTest(event)],
      ]),
    );
    expect(Object.keys(sources).length).toBeGreaterThan(40);
    expectToCompile(sources);
  });

  it('sends the same payload as a shell command', async () => {
    const payload = {
      account_number: 'A-1B2C3D4E',
      account_user_emails: ["o'neil@example.com", '$(touch x)`y`"'],
    };
    const event = { type: 'account.created', version: 'v1', key: 'A-1B2C3D4E', line: '', payload };
    const command = asCommand(event).replace('npx emulate', `"${process.execPath}" "${commands.emulate}"`);
    const sent = execFileSync('sh', ['-c', command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect((JSON.parse(sent) as { payload: unknown }).payload).toEqual(payload);
  });

  it('equals the sent JSON, or the line if it is not JSON', () => {
    const event = { type: 't', version: 'v1', key: null, line: '{"a":[1,"\\u2028"]}', payload: {} };
    expect(JSON.parse(asJson(event))).toEqual(JSON.parse(event.line));
    expect(asJson({ ...event, line: '{"a":' })).toBe('{"a":');
  });
});
