import { BusbarError, quoted } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { GroupPositions } from '../../transports/kafka/kafkajs/group-positions.js';
import { hintCatalogue } from '../event-names.js';
import { noLetter, type resolveSelection, type Selection } from './select.js';

/**
 * Checks the criteria that selected no dead letter, because one may be mistyped.
 * @throws BusbarError `invalid-option`, `unknown-topic`, `unknown-event`, `unknown-group`
 */
export async function checkCriteria(
  connection: Pick<GroupPositions, 'isKnown'>,
  { id, topic, only, group }: Selection,
  { selected, events }: ReturnType<typeof resolveSelection>,
): Promise<void> {
  if (selected > 0) return;
  if (id !== undefined) throw noLetter(id, topic);
  if (only !== undefined && !events.has(only)) await requireName(only, [...events]);
  if (group !== undefined && !(await connection.isKnown(group))) throw unknownGroup(group);
}

/** @throws BusbarError `unknown-event` */
async function requireName(only: string, seen: readonly string[]): Promise<void> {
  const names = (await hintCatalogue()).events.map(({ name }) => name);
  if (names.includes(only)) return;
  const hint = didYouMean(nearest(only, [...new Set([...seen, ...names])])) || ' Correct the name.';
  const message = `No dead letter and no event of the catalogue has the name ${quoted(only)}.${hint}`;
  throw new BusbarError('unknown-event', message);
}

export function unknownGroup(group: string): BusbarError {
  const message = `Kafka has no consumer group ${quoted(group)}, and no selected dead letter belongs to it. Correct the name.`;
  return new BusbarError('unknown-group', message);
}
