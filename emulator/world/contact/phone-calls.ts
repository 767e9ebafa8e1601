import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { buckets, storageKey } from '../storage.js';

/** A recorded call. Key of its events: account number. */
interface PhoneCall {
  readonly id: number;
  readonly account: Account;
  /** Storage key of the recording. */
  readonly key: string;
  /** Storage keys of the transcripts; empty before the transcription. */
  transcript: string;
  redactedTranscript: string;
}

export function endCall(cell: Cell, account: Account) {
  const call: PhoneCall = {
    id: cell.ids.integer('call'),
    account,
    key: storageKey(cell, 'calls', 'wav'),
    transcript: '',
    redactedTranscript: '',
  };
  return { call, ended: updated(call, { status: { old: 'IN_PROGRESS', new: 'COMPLETED' } }) };
}

/** Transcribes the call, in full and redacted. */
export function transcribeCall(cell: Cell, call: PhoneCall) {
  const transcript = storageKey(cell, 'transcripts', 'json');
  call.transcript = transcript;
  call.redactedTranscript = transcript.replace(/\.json$/, '.redacted.json');
  return occurrence('comms.transcription.created', call.account.number, { v1: describe(call) });
}

export function linkTranscripts(call: PhoneCall) {
  return updated(call, {
    transcript_key: { old: '', new: call.transcript },
    redacted_transcript_key: { old: '', new: call.redactedTranscript },
  });
}

function updated(
  call: PhoneCall,
  changes: Readonly<Record<string, { readonly old: string; readonly new: string }>>,
) {
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
