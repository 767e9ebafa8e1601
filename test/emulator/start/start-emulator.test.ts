import { describe, expect, it } from 'vitest';
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
});
