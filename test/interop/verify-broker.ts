import type { BrokerState } from '../../emulator/broker/index.js';
import type { Outcomes } from './outcomes.js';

/**
 * Checks the broker after a client's round trips: every group has committed the end of its topic, and compressed topics
 * are smaller. Some clients silently skip a codec that they consider unsupported.
 */
export function verifyBroker(client: string, { topics, groups }: BrokerState, outcomes: Outcomes): void {
  const bytesOf = new Map(
    topics.map(({ name, partitions }) => [name, partitions.reduce((sum, { bytes }) => sum + bytes, 0)]),
  );
  const uncompressed = bytesOf.get(`${client}-none`) ?? 0;
  for (const codec of ['gzip', 'snappy', 'lz4', 'zstd']) {
    const bytes = bytesOf.get(`${client}-${codec}`);
    if (bytes === undefined || bytes === 0) continue;
    const what = `${client}: ${codec} is really used`;
    if (bytes < uncompressed / 2) outcomes.passed(what);
    else outcomes.failed(what, `${bytes} bytes, ${uncompressed} without`);
  }
  for (const { id, offsets } of groups) {
    const what = `${client}: the broker has the offsets of "${id}"`;
    const behind = offsets.filter(({ lag }) => lag > 0);
    if (offsets.length > 0 && behind.length === 0) outcomes.passed(what);
    else outcomes.failed(what, `${offsets.length} committed, ${behind.length} behind the end`);
  }
}
