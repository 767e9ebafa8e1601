import { randomStream } from '../../engine/random.js';
import { type Cell, openedOn, type User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { pushProviders } from './words.js';

/** Reference of an uploaded file, and key of its events. */
type UploadedFile = string;

/** Publishes the malware scan of a new file. */
export function scanFile(cell: Cell, verdict: 'safe' | 'unsafe') {
  const file = cell.ids.uuid('uploaded file');
  const scanned = occurrence(`external_messaging.uploaded_file.${verdict}`, file, {
    v1: { file_reference: file },
  });
  return { file, scanned };
}

export function processFile(file: UploadedFile, result: 'processed' | 'processing_failed') {
  return occurrence(`external_messaging.uploaded_file.${result}`, file, { v1: { file_reference: file } });
}

/** An app that receives push notifications. Key of its events: user number. */
interface PushBinding {
  readonly id: number;
  readonly user: User;
  readonly provider: keyof typeof pushProviders;
  readonly token: string;
}

/** Creates a binding of an app that was installed before the run. */
export function existingBinding(cell: Cell, user: User): PushBinding {
  const [account] = user.accounts;
  const id = cell.ids.integer('push binding', account && openedOn(cell, account));
  const random = randomStream(cell.seed, 'push binding', id);
  const provider = random.weighted(pushProviders);
  const letters = Array.from({ length: 130 }, () => random.pick(tokenAlphabet)).join('');
  // The id at the beginning makes tokens unique.
  const unique = id.toString(16).padStart(8, '0');
  const token =
    provider === 'FCM' ? `${unique}${letters.slice(0, 14)}:APA91b${letters}` : apnsToken(unique, letters);
  return { id, user, provider, token };
}

/** Publishes that a notification was rejected because the app was removed. */
export function rejectPush({ id, user }: PushBinding) {
  return occurrence('comms.push-notification.received-unregistered-or-expired-token', user.number, {
    v1: { push_notification_binding_id: id },
  });
}

export function unregisterToken({ user, provider, token }: PushBinding) {
  return occurrence('messaging.push-notification.token-unregistered', user.number, {
    v1: { token, external_provider: provider },
  });
}

const tokenAlphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

/** 64 hexadecimal digits. */
function apnsToken(unique: string, letters: string): string {
  const digits = Array.from(letters.slice(unique.length, 64), (letter) =>
    (letter.charCodeAt(0) % 16).toString(16),
  );
  return unique + digits.join('');
}
