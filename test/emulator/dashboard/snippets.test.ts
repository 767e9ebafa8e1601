import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  asCommand,
  asHandler,
  asJson,
  asTest,
  type Written,
} from '../../../emulator/dashboard/client/event/snippets.js';
import { commands } from '../../command.js';
import { play } from '../scenarios/play.js';

const root = new URL('../../../', import.meta.url).pathname;

/** Events as the page has them: one of every type of a few scenarios. */
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

describe('what an event is copied as', () => {
  it('is code that compiles: a handler, and a test', async () => {
    const parent = join(root, '.cache', 'snippets');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'all-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = (await written()).flatMap((event, index) =>
      [asHandler(event), asTest(event)].map((code, form) => {
        const file = join(folder, `${index}-${form}.ts`);
        writeFileSync(file, code);
        return file;
      }),
    );
    expect(files.length).toBeGreaterThan(40);
    const compilerOptions = { noEmit: true, incremental: false, rootDir: root, outDir: join(root, 'dist') };
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
    );
    try {
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
        stdio: 'pipe',
      });
    } catch (error) {
      expect.fail(String((error as { stdout: Buffer }).stdout));
    }
  }, 60_000);

  it('is a command for a shell that sends the same payload', async () => {
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

  it('is JSON that says what was sent, and the bytes themselves where they are none', () => {
    const event = { type: 't', version: 'v1', key: null, line: '{"a":[1,"\\u2028"]}', payload: {} };
    expect(JSON.parse(asJson(event))).toEqual(JSON.parse(event.line));
    expect(asJson({ ...event, line: '{"a":' })).toBe('{"a":');
  });
});
