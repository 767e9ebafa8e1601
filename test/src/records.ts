import { recordHeaders, type HeaderInput } from '../../src/transports/record-headers.js';
import type { ConsumerRecord } from '../../src/transports/transport.js';

/** An event to make records of. */
export interface SentEvent {
  readonly type: string;
  readonly version: string;
  readonly payload: unknown;
}

export const accountCreated: SentEvent = {
  type: 'account.created',
  version: 'v1',
  payload: { account_number: 'A-1B2C3D4E', account_user_emails: ['a@example.com'] },
};

export const documentIssuedV1: SentEvent = {
  type: 'billing.billing_document.issued',
  version: 'v1',
  payload: { account_number: 'A-1B2C3D4E', billing_document_id: 7, billing_document_identifier: 'INV-7' },
};

export const documentIssuedV2: SentEvent = {
  type: 'billing.billing_document.issued',
  version: 'v2',
  payload: {
    ...(documentIssuedV1.payload as object),
    billing_document_uuid: '018f3c2e-7b2a-7c3d-9e4f-5a6b7c8d9e0f',
  },
};

export const leaveCompleted: SentEvent = {
  type: 'lifecycle.leave-supplier.completed',
  version: 'v3',
  payload: {
    account_number: 'A-1B2C3D4E',
    leave_supplier_process_id: 12,
    leave_supplier_process_number: 'LSP-12',
    leave_supplier_process_subtype: 'HOUSE_MOVE',
    supply_points: [],
  },
};

/** The event in the default envelope. */
export function envelope(
  { type, version, payload }: SentEvent,
  id = '018f3c2e-0000-7000-8000-000000000001',
): string {
  return JSON.stringify({ id, event_type: type, version, occurred_at: '2026-03-01T00:00:00.000Z', payload });
}

/** The headers that go with it. */
export function headersOf({ type, version }: SentEvent): Record<string, string> {
  return { 'event-type': type, 'event-version': version };
}

/** A record with that value, as a transport delivers it. */
export function recordOf(value: string | Uint8Array | null, headers: HeaderInput = {}): ConsumerRecord {
  return {
    topic: 'platform.events',
    partition: 0,
    offset: 17,
    timestamp: 0,
    key: null,
    value: typeof value === 'string' ? Buffer.from(value) : value,
    headers: recordHeaders(headers),
  };
}
