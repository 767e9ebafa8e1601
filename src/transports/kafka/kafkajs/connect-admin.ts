import type { Admin } from 'kafkajs';
import { type Clock, sleep } from '../../../base/clock.js';
import { translated } from './errors.js';

/** How long the first connection may take, whatever is tried. In milliseconds. */
const connectDeadline = 8_000;

/** @throws BusbarError `connection-failed`, `not-authorized` */
export async function connectAdmin(admin: Admin, where: string, clock: Clock): Promise<void> {
  const patience = new AbortController();
  // One that accepts and says nothing would hold kafkajs up for 30 seconds, three times.
  const deadline = sleep(clock, connectDeadline, patience.signal).then(() => {
    throw new Error(`no answer within ${connectDeadline / 1_000} seconds`);
  });
  try {
    await Promise.race([admin.connect(), deadline]);
  } catch (error) {
    admin.disconnect().catch(() => undefined);
    throw translated(error, where, 'could not be reached');
  } finally {
    deadline.catch(() => undefined);
    patience.abort();
  }
}
