import { expect, it, onTestFinished } from 'vitest';
import { cloudEventsEnvelope, createConsumer, type EnvelopeCodec, silentLogger } from '../../../src/index.js';
import { emulator } from './open-page.js';
import { transportOf } from './views.js';

const known = expect.any(Number) as number;

it.each<[string, EnvelopeCodec | undefined]>([
  ["Busbar's own envelope", undefined],
  ['CloudEvents', cloudEventsEnvelope()],
])('the outcomes of an event in %s have its fetch and its commit by a group', async (_, codec) => {
  const envelope = codec === undefined ? {} : { envelope: codec };
  const started = await emulator({ kafka: { port: 0 }, ...envelope });
  await started.trigger('account.created-v1');
  const outcomes = await consume(started, 'billing', envelope);
  await expect.poll(outcomes).toEqual([
    {
      consumer: 'billing',
      reported: [],
      fetchedAt: known,
      sharesClientId: false,
      commit: { isDone: true, at: known },
    },
  ]);
});

it('the outcomes of an event name no fetch of groups with one client id', async () => {
  const started = await emulator({ kafka: { port: 0 } });
  const outcomes = await consume(started, 'billing', { clientId: 'shared' });
  await consume(started, 'mailing', { clientId: 'shared' });
  await consume(started, 'printing', { clientId: 'its own' });
  await started.trigger('account.created-v1');
  const commit = { isDone: true, at: known };
  await expect.poll(outcomes).toEqual([
    { consumer: 'billing', reported: [], sharesClientId: true, commit },
    { consumer: 'mailing', reported: [], sharesClientId: true, commit },
    { consumer: 'printing', reported: [], fetchedAt: known, sharesClientId: false, commit },
  ]);
});

it('the outcomes of an event leave out those of the run before a reset', async () => {
  const { url, reset } = await emulator();
  const report = JSON.stringify({
    consumer: 'billing',
    outcomes: [{ event: 'E-1', at: 1, result: 'handled' }],
  });
  const send = () =>
    fetch(`${url}/dashboard/outcomes`, {
      method: 'POST',
      body: report,
      headers: { 'content-type': 'application/json' },
    });
  const reported = async () => {
    const response = await fetch(`${url}/dashboard/outcomes?event=E-1`);
    const { 'E-1': outcomes = [] } = (await response.json()) as Record<string, { reported: unknown[] }[]>;
    return outcomes.flatMap((each) => each.reported).length;
  };
  await send();
  expect(await reported()).toBe(1);
  await reset({});
  expect(await reported()).toBe(0);
  await send();
  expect(await reported()).toBe(1);
});

/** Runs a consumer until the test ends. Returns a function that asks for the outcomes of the newest event it handled. */
async function consume(
  started: Awaited<ReturnType<typeof emulator>>,
  groupId: string,
  { clientId, ...options }: { clientId?: string; envelope?: EnvelopeCodec },
): Promise<() => Promise<unknown>> {
  const consumer = createConsumer({ logger: silentLogger, ...options });
  let id = '';
  consumer.onAny((event) => void (id = event.id ?? ''));
  const running = await consumer.run(transportOf(started, groupId, clientId));
  onTestFinished(() => running.stop());
  return async () => {
    const response = await fetch(`${started.url}/dashboard/outcomes?event=${id}`);
    return ((await response.json()) as Record<string, unknown>)[id];
  };
}
