/** Returns a message of 523 bytes and two headers, like most events of the platform. */
export function messageAt(n: number) {
  const envelope = {
    id: `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    event_type: 'account.created',
    version: 'v1',
    occurred_at: '2026-03-02T09:00:00.000Z',
    payload: { account_number: `A-${String(n % 997).padStart(8, '0')}`, account_user_emails: emails },
  };
  return {
    key: envelope.payload.account_number,
    value: JSON.stringify(envelope),
    headers: {
      'event-type': Buffer.from(envelope.event_type),
      'event-version': Buffer.from(envelope.version),
    },
  };
}

const emails = [
  ...Array.from({ length: 8 }, (_, n) => `someone.with.a.name.${n}@example.org`),
  'someone.with.another@example.invalid',
].map((email) => email.slice(0, 34));
