import { expect, it, onTestFinished } from 'vitest';
import { cloudEventsEnvelope, createConsumer, type EnvelopeCodec, silentLogger } from '../../../src/index.js';
import { emulator } from './open-page.js';
import { transportOf } from './views.js';

it.each<[string, EnvelopeCodec | undefined]>([
  ["Busbar's own envelope", undefined],
  ['CloudEvents', cloudEventsEnvelope()],
])('the outcomes of an event in %s have its fetch and its commit by a group', async (_, codec) => {
  const envelope = codec === undefined ? {} : { envelope: codec };
  const started = await emulator({ kafka: { port: 0 }, ...envelope });
  await started.trigger('account.created-v1');
  const consumer = createConsumer({ logger: silentLogger, ...envelope });
  let id = '';
  consumer.onAny((event) => void (id = event.id ?? ''));
  const running = await consumer.run(transportOf(started, 'billing'));
  onTestFinished(() => running.stop());
  const outcomes = async () => {
    const response = await fetch(`${started.url}/dashboard/outcomes?event=${id}`);
    return ((await response.json()) as Record<string, unknown>)[id];
  };
  const known = expect.any(Number) as number;
  await expect
    .poll(outcomes)
    .toEqual([{ consumer: 'billing', reported: [], fetchedAt: known, commit: { isDone: true, at: known } }]);
});
