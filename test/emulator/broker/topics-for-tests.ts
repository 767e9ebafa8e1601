import { onTestFinished } from 'vitest';
import {
  type EmbeddedBroker,
  type StartBrokerOptions,
  startEmbeddedBroker,
} from '../../../emulator/broker/start.js';
import { steadyClock } from '../../steady-clock.js';
import { LogRecorder } from './log-recorder.js';

export type EventsBroker = EmbeddedBroker;

/** Resolves at the next request to an API that passes the filter. */
export function requested(
  broker: EventsBroker,
  api: string,
  selects: (request: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<void> {
  return new Promise((resolve) => {
    const remove = broker.onRequest(({ apiName, request }) => {
      if (apiName !== api || !selects(request)) return;
      remove();
      resolve();
    });
  });
}

/** An embedded broker for one test, with a topic `events` and one for its dead letters. */
export async function brokerWithEvents({
  partitions = 3,
  ...options
}: StartBrokerOptions & { readonly partitions?: number } = {}): Promise<EmbeddedBroker> {
  const broker = await startEmbeddedBroker({
    port: 0,
    autoCreateTopics: false,
    minSessionTimeoutMs: 100,
    clock: steadyClock,
    topics: [
      { name: 'events', partitions },
      { name: 'events.dead-letter', partitions },
    ],
    logger: new LogRecorder(),
    ...options,
  });
  onTestFinished(() => broker.stop());
  return broker;
}
