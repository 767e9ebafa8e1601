import { isKeyEntity, type KeyEntity, usualKey } from '../../catalogue/key-entities.js';
import { accountNumber, user } from './facts/household.js';
import { type FieldPath, parseFieldPath, readField } from './field-path.js';
import type { Subject } from './subject.js';

/**
 * The partition key of a payload: the entity that the event's schema names, as the payload has it; else as `usual`
 * has it, which is the payload before anybody changed it; else that of the household which the sample is about. Of an
 * entity of the user's own nobody knows where payloads name it: its events are keyed by account.
 */
export function keyOf(
  entity: string,
  payload: unknown,
  { subject, usual }: { readonly subject: Subject; readonly usual: () => unknown },
): string {
  const known = isKeyEntity(entity) ? entity : usualKey;
  return nameIn(payload, known) ?? nameIn(usual(), known) ?? nameOf(subject, known);
}

function nameIn(payload: unknown, entity: KeyEntity): string | undefined {
  for (const path of named[entity]) {
    const value = readField(payload, path);
    if (typeof value === 'string' && value !== '' && !numbered.has(entity)) return value;
    if (Number.isInteger(value) && numbered.has(entity)) return String(value);
  }
  // Consents are given by somebody with a login, or for an account as a whole.
  const signer = entity === 'user' && readField(payload, ['signing_identity', 'identity_type']);
  const identity = readField(payload, ['signing_identity', 'identity']);
  return signer === 'ACCOUNT_USER' && typeof identity === 'string' ? identity : undefined;
}

function nameOf(subject: Subject, entity: KeyEntity): string {
  if (entity === 'user') return user(subject).number;
  return entity === 'lead' ? subject.prefixed('LE') : accountNumber(subject);
}

/** Entities that a whole number names. */
const numbered: ReadonlySet<KeyEntity> = new Set(['business', 'duos-invoice']);

const paths = (...texts: string[]): readonly FieldPath[] => texts.map(parseFieldPath);

/** Where payloads name each entity. */
const named: Readonly<Record<KeyEntity, readonly FieldPath[]>> = {
  account: paths(
    'account_number',
    'process_data.account_number',
    'ledger.account.number',
    'live_chat_conversation.account_number',
    'for_subjects[0]',
    'subject_contract_journeys[0].subject_number',
  ),
  user: paths('user_number', 'account_user_number'),
  business: paths('id'),
  lead: paths('lead_number'),
  'contract-group': paths('contract_group_identifier'),
  'internal-company': paths('id'),
  'access-role': paths('code'),
  'uploaded-file': paths('file_reference'),
  'import-process': paths('external_identifier', 'import_process_external_identifier'),
  'imported-order': paths('external_order_id'),
  'duos-invoice': paths('invoice_event_id'),
  'portfolio-run': paths('run_identifier'),
};
