import { atMost } from '../base/clock.js';
import type { PartitionLanes } from './partition-lanes.js';
import type { RunSettings } from './run-options.js';

/**
 * Waits for running handlers until the drain timeout, then abandons them. During the first half of that time, records
 * before settled ones are still handled.
 */
export async function drain(
  works: readonly PartitionLanes[],
  { clock, logger, drainTimeout }: Pick<RunSettings, 'clock' | 'logger' | 'drainTimeout'>,
  within = Number.POSITIVE_INFINITY,
): Promise<void> {
  const limit = Math.min(drainTimeout, within);
  for (const work of works) work.close();
  // Timers would take most of a stop that has nothing to wait for.
  if (works.some(({ isIdle }) => !isIdle)) await allIdle(works, clock, limit);
  for (const work of works) {
    if (!work.isIdle) {
      const what = work.abandon() > 0 ? 'handler abandoned' : 'record left unsettled';
      logger.warn(`${what} after the drain timeout`, { ...work.partition, timeoutMs: limit });
    }
    logRedelivery(work, logger);
  }
}

/** Resolves when nothing runs or waits, or at the limit. */
async function allIdle(
  works: readonly PartitionLanes[],
  clock: RunSettings['clock'],
  limit: number,
): Promise<void> {
  const stopFilling = clock.schedule(limit / 2, () => {
    for (const work of works) work.finish();
  });
  await atMost(clock, limit, Promise.all(works.map((work) => work.idle())));
  stopFilling();
}

/** Logs that records settled after an unsettled one will be handled twice. */
function logRedelivery({ partition, window }: PartitionLanes, logger: RunSettings['logger']): void {
  const { records, unsettled, oldest, taken } = window;
  if (oldest === undefined || records === unsettled) return;
  logger.info('settled records will be redelivered', {
    ...partition,
    from: oldest.offset,
    to: taken,
    settled: records - unsettled,
  });
}
