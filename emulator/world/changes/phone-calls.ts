import type { Occurrence } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { storageKey } from '../storage.js';
import { buckets } from '../vocabulary/platform.js';

/** A call that was recorded. Key of its events: account number. */
export interface PhoneCall {
  readonly id: number;
  readonly account: Account;
  /** Where the recording lies. */
  readonly key: string;
  /** Where the transcripts lie; empty until they are written. */
  transcript: string;
  redactedTranscript: string;
}

/** The customer and the agent have hung up. */
export function endCall(cell: Cell, account: Account, on: Day): { call: PhoneCall; ended: Occurrence } {
  const call: PhoneCall = {
    id: cell.ids.integer('call'),
    account,
    key: storageKey(cell, 'calls', on, 'wav'),
    transcript: '',
    redactedTranscript: '',
  };
  return { call, ended: updated(call, { status: { old: 'IN_PROGRESS', new: 'COMPLETED' } }) };
}

/** The words of the call, and the same without what nobody should read. */
export function transcribeCall(cell: Cell, call: PhoneCall, on: Day): Occurrence {
  const transcript = storageKey(cell, 'transcripts', on, 'json');
  call.transcript = transcript;
  call.redactedTranscript = transcript.replace(/\.json$/, '.redacted.json');
  return occurrence('comms.transcription.created', call.account.number, { v1: describe(call) });
}

/** The call shows its transcripts. */
export function linkTranscripts(call: PhoneCall): Occurrence {
  return updated(call, {
    transcript_key: { old: '', new: call.transcript },
    redacted_transcript_key: { old: '', new: call.redactedTranscript },
  });
}

function updated(
  call: PhoneCall,
  changes: Readonly<Record<string, { readonly old: string; readonly new: string }>>,
): Occurrence {
  return occurrence('comms.account-call.updated', call.account.number, {
    v1: { ...describe(call), changes },
  });
}

function describe(call: PhoneCall) {
  return {
    account_number: call.account.number,
    call_id: call.id,
    call_key: call.key,
    transcript_key: call.transcript,
    redacted_transcript_key: call.redactedTranscript,
    bucket: buckets.calls,
  };
}
