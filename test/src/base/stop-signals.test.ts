import { expect, it, onTestFinished, vi } from 'vitest';
import { onStopSignal } from '../../../src/base/stop-signals.js';

it.each([
  ['SIGHUP', 129, true],
  ['SIGINT', 130, false],
  ['SIGTERM', 143, false],
] as const)(
  'onStopSignal stops at %s with code %i; ignores a later one: %s',
  (signal, exitCode, isIgnored) => {
    const before = process.listeners(signal);
    onTestFinished(() => {
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.removeListener(signal, listener);
    });
    const stop = vi.fn();
    const release = onStopSignal(stop);
    process.emit(signal, signal);
    expect(stop).toHaveBeenCalledExactlyOnceWith(exitCode);
    release();
    expect(process.listenerCount(signal) > before.length).toBe(isIgnored);
  },
);
