import type { Catalogue } from 'busbar/catalogue';
import { day, type Instant, minute } from '../engine/time.js';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import type { Traits } from './see-account.js';
import type { Tally } from './tally.js';

/** Payload members that targets read. */
interface Payload {
  readonly account_number?: string;
  readonly account_user_number?: string;
  readonly call_id?: number;
  readonly conversation_id?: number;
  readonly device_type?: string;
  readonly leave_supplier_process_subtype?: string;
  readonly meter_mechanism?: string;
  readonly message?: { readonly content?: { readonly tags?: readonly string[] } };
  readonly ledger?: { readonly account?: { readonly number: string } };
  readonly entry?: { readonly is_payment: boolean; readonly is_reversal: boolean };
}

/** Returns a function that counts the occurrences of a stream. Its memory grows with the accounts, not with the events. */
export function watchStream(
  { start, tally, catalogue }: { start: Instant; tally: Tally; catalogue: Catalogue },
  traitsOf: (account: string) => Traits | undefined,
) {
  const seen = new Set<string>();
  const sessions = new Map<string, Instant>();
  let previous: Instant | undefined;

  /** Counts an account or other key once. */
  function once(name: string, key: string): void {
    if (seen.has(`${name} ${key}`)) return;
    seen.add(`${name} ${key}`);
    tally.add(name);
  }

  function tryToSignIn({ account_user_number: user = '' }: Payload, at: Instant): void {
    for (const [other, begun] of sessions) {
      if (at - begun <= 10 * minute) break;
      sessions.delete(other);
      tally.add('never in');
    }
    if (sessions.has(user)) return;
    sessions.set(user, at);
    tally.add('sessions');
  }

  const counters: Readonly<Record<string, (payload: Payload, at: Instant) => void>> = {
    'auth_server.account_user.logged_in'(payload, at) {
      tally.add('sign-ins');
      tally.add('attempts');
      tryToSignIn(payload, at);
      sessions.delete(payload.account_user_number ?? '');
    },
    'auth_server.account_user.login_failed'(payload, at) {
      tally.add('failed');
      tally.add('attempts');
      tryToSignIn(payload, at);
    },
    'auth_server.account_user.login_denied': tryToSignIn,
    'auth_server.account_user.generate_mfa_challenge_error': tryToSignIn,
    'auth_server.account_user.login_step_completed': tryToSignIn,
    'lifecycle.leave-supplier.requested'({ leave_supplier_process_subtype: subtype }) {
      tally.add('moves', subtype === 'MOVE_OUT');
    },
    'lifecycle.leave-supplier.completed'({ leave_supplier_process_subtype: subtype }) {
      tally.add('leaves');
      tally.add('switches away', subtype === 'CHANGE_OF_SUPPLIER');
    },
    'lifecycle.join-supplier.completed': () => tally.add('joins'),
    'billing.issued_bill'({ account_number = '' }) {
      tally.add('bills', traitsOf(account_number)?.isBilled === true);
    },
    'billing.ledger.entry_posted'({ ledger, entry }) {
      if (entry?.is_payment !== true || !traitsOf(ledger?.account?.number ?? '')?.isDirectDebit) return;
      tally.add(entry.is_reversal ? 'payments returned' : 'direct debits');
    },
    'ink.conversation.opened': () => tally.add('messages'),
    'ink.live-chat.initiated': () => tally.add('chats'),
    'comms.account-call.updated': ({ call_id }) => once('calls', String(call_id)),
    'ink.content.inbound-message-tagged'({ conversation_id, message }) {
      const isComplaint = message?.content?.tags?.includes('complaint');
      if (isComplaint === true) once('complaints', String(conversation_id));
    },
    'account_user.psr_records_updated': () => tally.add('priority services'),
  };

  return ({ envelope: { event_type: type, version, payload: read }, key, at }: OutgoingEvent): void => {
    tally.add('events');
    if (version !== catalogue.versionsOf(type).at(-1)) return;
    const payload = read as Payload;
    const family = type.split(/[._]/, 1)[0] as string;
    // Bills follow the day of the month: 31 days later, not 56.
    const later = (family === 'billing' ? 31 : 56) * day;
    if (at - start < week) once(`first ${family}`, key);
    if (at - start >= later && at - start < later + week) once(`later ${family}`, key);
    tally.add('occurrences');
    // Occurrences of one account never share an instant.
    tally.add('shared milliseconds', at === previous);
    previous = at;
    const { device_type, meter_mechanism, account_number = '' } = payload;
    if (device_type === 'ELECTRIC_VEHICLES') once('cars', account_number);
    if (meter_mechanism !== undefined) {
      tally.add('gas meters');
      tally.add('smart gas meters', /^S\d/.test(meter_mechanism));
    }
    counters[type]?.(payload, at);
  };
}

const week = 7 * day;
