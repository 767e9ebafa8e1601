import { createConsumer, silentLogger } from 'busbar';
import { createTestBench, event, ExpectationError, given } from 'busbar-emulator/testing';
import { AssertionError } from 'node:assert';
import { expect, it, onTestFinished } from 'vitest';

const leave = 'lifecycle.leave-supplier.completed';

function benchOf() {
  const state: Record<string, { status: string }> = {};
  const consumer = createConsumer({ logger: silentLogger });
  consumer.on('account.created', 'v1', ({ payload }) => {
    state[payload.account_number] = { status: 'there' };
  });
  consumer.on(
    leave,
    'v3',
    ({ payload: { account_number } }, { attempt }) => {
      if (!(account_number in state)) throw new Error(`no account ${account_number}`);
      if (attempt === 1) throw new Error('not yet');
      state[account_number] = { status: 'left' };
    },
    { retry: { attempts: 2 }, name: 'leaving' },
  );
  const bench = createTestBench(consumer);
  onTestFinished(() => bench.stop());
  return { bench, state: () => state };
}

const account_number = 'A-1B2C3D4E';
const created = event('account.created', 'v1', { account_number });
const left = event(leave, 'v3', { account_number });

it('given() resolves if an expectation is met, after retries', async () => {
  const { bench, state } = benchOf();
  await given(bench, created).when(left).thenHandled({ attempts: 2 });
  await given(bench)
    .when(left)
    .thenState(state, { [account_number]: { status: 'left' } });
  await given(benchOf().bench).when(left).thenDeadLettered('handler-failed');
  await given(bench).when(event('account.updated', 'v1')).thenSkipped('unhandled');
});

it.each([
  [
    'handled',
    () => given(benchOf().bench).when(left).thenHandled(),
    'When "lifecycle.leave-supplier.completed-v3": expected it to be handled, but it was dead-lettered with "handler-failed" by handler "leaving" after 2 attempts.',
  ],
  [
    'handled at once',
    () => given(benchOf().bench, created).when(left).thenHandled({ attempts: 1 }),
    'When "lifecycle.leave-supplier.completed-v3": expected 1 attempt, but it was handled by handler "leaving" after 2 attempts.',
  ],
  [
    'dead-lettered for another reason',
    () => given(benchOf().bench).when(left).thenDeadLettered('invalid-event'),
    'expected it to be dead-lettered with "invalid-event", but it was dead-lettered with "handler-failed"',
  ],
  [
    'handled as given',
    () => given(benchOf().bench, left).when(created).thenHandled(),
    'Given "lifecycle.leave-supplier.completed-v3": expected it to be handled',
  ],
  [
    'in another state',
    async () => {
      const { bench, state } = benchOf();
      await given(bench, created)
        .when(left)
        .thenState(state, { [account_number]: { status: 'Jane Doe' } });
    },
    'the state differs from the expected one at "/A-1B2C3D4E/status".',
  ],
])('given() rejects if an expectation is not met: %s', async (_name, sentence, message) => {
  const error = await sentence().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ExpectationError);
  expect(error).toBeInstanceOf(AssertionError);
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).not.toContain('Jane Doe');
});
