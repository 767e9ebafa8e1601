import type { EmbeddedBroker } from '../../../emulator/broker/start.js';
import type { Emulator } from '../../../emulator/index.js';
import { deadLetterMessage } from '../../../src/dead-letter.js';
import { recordHeaders } from '../../../src/transports/record-headers.js';
import type { DeadLetterCause } from '../../../src/transports/transport.js';

/** Writes dead letters of the group `billing` to one partition, for records from an offset on. */
export function writeDeadLetters(
  { broker }: Pick<Emulator, 'broker'>,
  first: number,
  count: number,
  more: Partial<DeadLetterCause> = {},
): void {
  const letters = Array.from({ length: count }, (_, index) => {
    const origin = { topic: 'platform.events', partition: 0, offset: first + index, timestamp: 0 };
    const record = { ...origin, key: null, value: Buffer.from('{}'), headers: recordHeaders({}) };
    const cause = { code: 'handler-failed', message: 'The handler failed.', attempts: 3 };
    const { headers, ...message } = deadLetterMessage(
      record,
      { ...cause, event: 'account.created-v1', ...more },
      'billing',
    );
    const single = Object.entries(headers).map(([name, values]) => [name, values[0]!] as const);
    return { ...message, partition: 0, headers: Object.fromEntries(single) };
  });
  (broker as EmbeddedBroker).append('platform.events.dead-letter', letters);
}
