import { onTestFinished } from 'vitest';
import { type RunningBroker, type StartBrokerOptions, startBroker } from '../../../emulator/broker/index.js';
import { steadyClock } from '../../steady-clock.js';
import { LogRecorder } from './log-recorder.js';

export type EventsBroker = RunningBroker;

/** An embedded broker for one test, with a topic `events` and one for its dead letters. */
export async function brokerWithEvents({
  partitions = 3,
  ...options
}: StartBrokerOptions & { readonly partitions?: number } = {}): Promise<RunningBroker> {
  const broker = await startBroker({
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
