/** Environment variable with the test files of a subject, separated by spaces. */
export const testsVariable = 'BUSBAR_MUTATION_TESTS';

export interface Subject {
  readonly name: string;
  /** Files whose code is changed, one place at a time. */
  readonly files: readonly string[];
  /** Tests of which at least one must fail for each change. */
  readonly tests: readonly string[];
}

const running = (...names: readonly string[]) => names.map((name) => `src/running/${name}.ts`);
const runningTests = (...names: readonly string[]) => names.map((name) => `test/src/running/${name}.test.ts`);

/** Code in which a small mistake loses or repeats an event, or changes the order of a stream. */
export const subjects: readonly Subject[] = [
  {
    name: 'timers',
    files: ['emulator/engine/timer-queue.ts', 'src/base/heap.ts'],
    tests: ['test/emulator/engine/timer-queue.test.ts', 'test/src/base/heap.test.ts'],
  },
  { name: 'settled window', files: running('settled-window'), tests: runningTests('settled-window') },
  {
    name: 'dispatch',
    files: ['src/dispatch.ts'],
    tests: [
      'test/src/dispatch.test.ts',
      'test/src/middleware.test.ts',
      'test/src/versions.test.ts',
      'test/src/envelope/by-topic.test.ts',
      'test/src/envelope/flat.test.ts',
      ...runningTests('record-dispatch', 'observer'),
    ],
  },
  {
    name: 'lanes',
    files: running('lane', 'lane-assigner', 'open-lanes', 'partition-lanes', 'held-lanes', 'abandoned-lanes'),
    tests: runningTests(
      'abandoned-lanes',
      'lane-assigner',
      'lanes',
      'lanes.property',
      'held-lanes',
      'revocation',
      'stop',
      'run',
      'retry',
      'dead-letters',
      'memory-budget.property',
    ),
  },
  {
    name: 'membership',
    files: ['coordinator', 'group-offsets', 'membership', 'positions'].map(
      (name) => `src/transports/kafka/group/${name}.ts`,
    ),
    tests: ['group/*', 'group-positions'].map((name) => `test/src/transports/kafka/${name}.test.ts`),
  },
  {
    name: 'fault injection',
    files: ['emulator/run/faults/*.ts'],
    tests: ['faults', 'corrupt', 'inject', 'faults.property'].map(
      (name) => `test/emulator/run/faults/${name}.test.ts`,
    ),
  },
];
