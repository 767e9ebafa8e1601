import { systemClock } from '../../base/clock.js';
import { BusbarError } from '../../base/errors.js';
import { quoted } from '../../base/quoted.js';
import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';

/** Checks that a group exists, because its name may be mistyped. @throws BusbarError `unknown-group` */
export async function requireGroup(args: ConnectionArguments, group: string): Promise<void> {
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
