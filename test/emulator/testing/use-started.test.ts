import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBroker } from 'busbar/broker';
import { type TestHooks, useStarted } from 'busbar/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

describe('useStarted', () => {
  const broker = useStarted(() => startBroker({ port: 0 }), { beforeAll, afterAll });

  it('has started before the tests of a file what they ask for', () => {
    expect(broker().inspect()).toEqual({ topics: [], groups: [] });
    expect(broker()).toBe(broker());
  });

  it('stops it after them, by the hooks that a runner has as globals', async () => {
    const before = vi.fn<TestHooks['beforeAll']>();
    const after = vi.fn<TestHooks['afterAll']>();
    vi.stubGlobal('beforeAll', before);
    vi.stubGlobal('afterAll', after);
    onTestFinished(() => void vi.unstubAllGlobals());
    const stop = vi.fn(() => Promise.resolve());
    const started = useStarted(() => ({ stop }));

    expect(started).toThrow('nothing is started yet');
    await before.mock.lastCall?.[0]();
    expect(started().stop).toBe(stop);
    expect(stop).not.toHaveBeenCalled();
    await after.mock.lastCall?.[0]();
    expect(stop).toHaveBeenCalledOnce();
  });

  it('says what to do under Vitest without its globals', () => {
    expect(() => useStarted(() => ({ stop: () => Promise.resolve() }))).toThrow(
      'Hand in its hooks: useStarted(start, { beforeAll, afterAll }).',
    );
  });

  it('takes the hooks of node:test there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-use-started-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'started.test.mjs');
    const kit = new URL('../../../dist/emulator/testing/index.js', import.meta.url).href;
    writeFileSync(
      file,
      `import { test } from 'node:test';
       import { useStarted } from ${JSON.stringify(kit)};
       const server = useStarted(() => ({ word: 'started', stop: async () => console.log('stopped') }));
       test('asks', () => console.log(server().word));`,
    );
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], {
      env,
    });
    expect(stdout).toMatch(/# started\n[^]*# stopped\n[^]*# pass 1\n/);
  });
});
