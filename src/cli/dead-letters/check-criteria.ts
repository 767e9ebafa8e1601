import { systemClock } from '../../base/clock.js';
import { BusbarError, quoted } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';
import { hintCatalogue } from '../event-names.js';
import { noLetter, type resolveSelection, type Selection } from './select.js';

/**
 * Checks the criteria that selected no dead letter, because one may be mistyped.
 * @throws BusbarError `invalid-option`, `unknown-topic`, `unknown-event`, `unknown-group`
 */
export async function checkCriteria(
  args: ConnectionArguments & Selection,
  { selected, events }: ReturnType<typeof resolveSelection>,
): Promise<void> {
  const { id, topic, only, group } = args;
  if (selected > 0) return;
  if (id !== undefined) throw noLetter(id, topic);
  if (only !== undefined && !events.has(only)) await requireName(only, [...events]);
  if (group !== undefined) await requireGroup(group, args);
}

/** @throws BusbarError `unknown-event` */
async function requireName(only: string, seen: readonly string[]): Promise<void> {
  const names = (await hintCatalogue()).events.map(({ name }) => name);
  if (names.includes(only)) return;
  const hint = didYouMean(nearest(only, [...new Set([...seen, ...names])])) || ' Correct the name.';
  const message = `No dead letter and no event of the catalogue has the name ${quoted(only)}.${hint}`;
  throw new BusbarError('unknown-event', message);
}

/** @throws BusbarError `unknown-group` */
async function requireGroup(group: string, args: ConnectionArguments): Promise<void> {
  const { GroupPositions } = await import('../../transports/kafka/kafkajs/group-positions.js');
  const positions = await GroupPositions.from(connectionOptions(args), systemClock);
  try {
    if (!(await positions.isKnown(group))) throw unknownGroup(group);
  } finally {
    await positions.close();
  }
}

export function unknownGroup(group: string): BusbarError {
  const message = `Kafka has no consumer group ${quoted(group)}, and no selected dead letter belongs to it. Correct the name.`;
  return new BusbarError('unknown-group', message);
}
