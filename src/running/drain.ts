import { sleep } from '../base/clock.js';
import type { PartitionLanes } from './partition-lanes.js';
import type { RunSettings } from './run-options.js';

/**
 * Lets what runs come to its end, for so long as may be waited; then aborts it and discards what it yields. In the
 * first half of that time what lies before settled records is done too.
 */
export async function drain(
  works: readonly PartitionLanes[],
  { clock, logger, drainTimeout }: Pick<RunSettings, 'clock' | 'logger' | 'drainTimeout'>,
  within = Number.POSITIVE_INFINITY,
): Promise<void> {
  const limit = Math.min(drainTimeout, within);
  for (const work of works) work.close();
  const patience = new AbortController();
  const stopFilling = clock.schedule(limit / 2, () => {
    for (const work of works) work.finish();
  });
  const timeout = sleep(clock, limit, patience.signal).catch(() => undefined);
  await Promise.race([Promise.all(works.map((work) => work.idle())), timeout]);
  patience.abort();
  stopFilling();
  for (const work of works) {
    if (!work.isIdle) {
      logger.warn(`A handler did not end within ${limit} ms and is abandoned.`, { ...work.partition });
      work.abandon();
    }
    tellLeft(work, logger);
  }
}

/** What is settled behind an unsettled record is done twice: somebody may want to know why. */
function tellLeft({ partition, window }: PartitionLanes, logger: RunSettings['logger']): void {
  const { records, unsettled, oldest, taken } = window;
  if (oldest === undefined || records === unsettled) return;
  logger.info('What was settled behind a record that was not comes again.', {
    ...partition,
    from: oldest.offset,
    to: taken,
    settled: records - unsettled,
  });
}
