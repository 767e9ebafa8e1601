import { type Consumer, createConsumer, silentLogger } from 'busbar';
import { type BenchOptions, createTestBench, type TestBench } from 'busbar-emulator/testing';
import { onTestFinished } from 'vitest';

/** Creates a bench that stops after the test. */
export function benchOf(
  define: (consumer: Consumer, bench: () => TestBench) => void,
  options: BenchOptions = {},
): TestBench {
  const consumer = createConsumer({ logger: silentLogger });
  define(consumer, () => bench);
  const bench = createTestBench(consumer, options);
  onTestFinished(() => bench.stop());
  return bench;
}
