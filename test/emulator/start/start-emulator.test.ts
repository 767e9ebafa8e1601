import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Sink, startEmulator } from '../../../emulator/index.js';
import { virtualClock } from '../../../src/base/clock.js';

const sink: Sink = {
  name: 'none',
  write: () => undefined,
  end: () => undefined,
  close: () => Promise.resolve(),
};

describe('startEmulator', () => {
  it('returns the current value of each getter, also after a reset or change', async () => {
    const clock = virtualClock();
    const emulator = await startEmulator({ sinks: [sink], run: { open: true }, seed: 1, speed: 2, clock });
    const { run, now } = emulator;
    emulator.setPace({ speed: 'instant' });
    expect(emulator.pace).toEqual({ speed: 'instant' });
    await emulator.advance(now + 1000);
    expect(emulator.now).toBe(now + 1000);
    emulator.start('house-move');
    expect(emulator.plan.inputs).toHaveLength(1);
    await emulator.reset({ seed: 2 });
    expect([emulator.generation, emulator.plan.seed, emulator.plan.inputs]).toEqual([2, 2, []]);
    expect(emulator.run).not.toBe(run);
    expect(emulator.now).toBe(now);
    await emulator.stop();
    expect(emulator.run.state).toBe('stopped');
  });

  it.each([
    ['recording', { record: 'run' }],
    ['fault log', { faultLog: 'run' }],
  ])('refuses to reset a run with a %s, and continues it', async (name, files) => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-reset-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const kept = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, join(folder, file)]));
    const emulator = await startEmulator({
      sinks: [sink],
      run: { open: true, ...kept },
      faults: { duplicate: '50%' },
      clock: virtualClock(),
    });
    onTestFinished(() => emulator.stop());
    await expect(emulator.reset()).rejects.toMatchObject({
      code: 'invalid-option',
      message: `A run with a ${name} cannot be reset: its ${name} would have two runs. Start another emulator.`,
    });
    expect(emulator.generation).toBe(1);
  });

  it.each(['http', 'kafka'])('names the option of a port that is taken: %s', async (server) => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const options = { scenario: 'house-move', http: false, kafka: false, [server]: { port } } as const;
    await expect(startEmulator(options)).rejects.toMatchObject({
      code: 'port-in-use',
      message: `Another program listens on port "${port}" of "127.0.0.1". Stop it, or set "${server}.port" to another port, or to 0 for a free one.`,
    });
  });
});
