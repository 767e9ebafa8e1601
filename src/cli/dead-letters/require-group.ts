import { systemClock } from '../../base/clock.js';
import { BusbarError } from '../../base/errors.js';
import { quoted } from '../../base/quoted.js';
import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';
import type { ReplayPlan } from './run-replay.js';
import type { Selection } from './select.js';

/** Checks that the group of an empty plan exists, because its name may be mistyped. @throws BusbarError `unknown-group` */
export async function requireGroup(
  args: ConnectionArguments & Pick<Selection, 'group'>,
  { letters, replayedBefore, discardedBefore }: ReplayPlan,
): Promise<void> {
  const { group } = args;
  if (group === undefined || letters.length + replayedBefore + discardedBefore > 0) return;
  const { GroupPositions } = await import('../../transports/kafka/kafkajs/group-positions.js');
  const positions = await GroupPositions.open(connectionOptions(args), systemClock);
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
