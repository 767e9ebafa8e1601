import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/base/clock.js';
import type { Logger } from '../../../../src/base/logger.js';
import {
  kafka,
  type KafkaConnectionOptions,
  type KafkaConsumeOptions,
  type KafkaOptions,
} from '../../../../src/transports/kafka/index.js';
import type { Subscription } from '../../../../src/transports/transport.js';
import { type Collector, type CollectorOptions, collector } from '../collector.js';
import { logLines } from '../../log-lines.js';
import { steadyClock } from '../../../steady-clock.js';

export interface Opened {
  readonly collected: Collector;
  readonly subscription: Subscription;
}

/** Opens `kafka(...)` on a broker, by default for topic `events` and group `readers`. */
export async function opened(
  broker: { readonly bootstrapServers: string },
  options: Partial<KafkaConsumeOptions & KafkaConnectionOptions> = {},
  more: {
    readonly receiver?: CollectorOptions;
    readonly collected?: Collector;
    readonly clock?: Clock;
    readonly logger?: Logger;
  } = {},
): Promise<Opened> {
  const { clock = steadyClock, logger = logLines() } = more;
  const collected = more.collected ?? collector(more.receiver);
  const reached = { brokers: [broker.bootstrapServers], connectionTimeout: 600_000 };
  const transport = kafka({
    ...('client' in options ? {} : reached),
    groupId: 'readers',
    topics: ['events'],
    fromBeginning: true,
    heartbeatInterval: 100,
    maxWait: 50,
    ...options,
  } as KafkaOptions);
  const subscription = await transport.open(collected, { clock, logger });
  onTestFinished(() => subscription.stop());
  collected.attach(subscription);
  return { collected, subscription };
}

/** Records with the numbers as values, all of one key. */
export function numbered(count: number, first = 0, partition = 0) {
  return Array.from({ length: count }, (_, n) => ({
    partition,
    key: Buffer.from('key-a'),
    value: Buffer.from(String(first + n)),
    headers: {},
  }));
}

export function values({ records }: Collector): number[] {
  return records.map(({ value }) => Number(Buffer.from(value!).toString()));
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}
