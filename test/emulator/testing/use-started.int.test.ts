import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBroker } from 'busbar-emulator/broker';
import { type TestHooks, useService } from 'busbar-emulator/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

describe('useService()', () => {
  const broker = useService(() => startBroker({ port: 0 }), { beforeAll, afterAll });

  it('starts the service before the tests of a file', () => {
    expect(broker().inspect()).toEqual({ topics: [], groups: [] });
    expect(broker()).toBe(broker());
  });

  it('stops the service after the tests, with global hooks', async () => {
    const before = vi.fn<TestHooks['beforeAll']>();
    const after = vi.fn<TestHooks['afterAll']>();
    vi.stubGlobal('beforeAll', before);
    vi.stubGlobal('afterAll', after);
    onTestFinished(() => void vi.unstubAllGlobals());
    const stop = vi.fn(() => Promise.resolve());
    const started = useService(() => ({ stop }));

    expect(started).toThrow('has not started the service yet');
    await before.mock.lastCall?.[0]();
    expect(started().stop).toBe(stop);
    expect(stop).not.toHaveBeenCalled();
    await after.mock.lastCall?.[0]();
    expect(stop).toHaveBeenCalledOnce();
  });

  it('explains the missing hooks under Vitest without globals', () => {
    expect(() => useService(() => ({ stop: () => Promise.resolve() }))).toThrow(
      'Pass them: useService(start, { beforeAll, afterAll }).',
    );
  });

  it('uses the hooks of node:test under node:test', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-use-started-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'started.test.mjs');
    const kit = new URL('../../../emulator/dist/testing/index.js', import.meta.url).href;
    writeFileSync(
      file,
      `import { test } from 'node:test';
       import { useService } from ${JSON.stringify(kit)};
       const server = useService(() => ({ word: 'started', stop: async () => console.log('stopped') }));
       test('asks', () => console.log(server().word));`,
    );
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], {
      env,
    });
    expect(stdout).toMatch(/# started\n[^]*# stopped\n[^]*# pass 1\n/);
  });
});
