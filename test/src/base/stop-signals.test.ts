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
    const added = () => process.listeners(signal).filter((listener) => !before.includes(listener));
    onTestFinished(() => added().forEach((listener) => process.removeListener(signal, listener)));
    const stop = vi.fn();
    const release = onStopSignal(stop);
    // A signal to the process would reach the listeners of other tests, too.
    for (const listener of added()) listener(signal);
    expect(stop).toHaveBeenCalledExactlyOnceWith(exitCode);
    release();
    expect(added().length > 0).toBe(isIgnored);
  },
);
