/** A valid event in the default envelope, whose id and account have a number. */
export function numberedEvent(number: number) {
  return {
    id: String(number),
    event_type: 'account.created',
    version: 'v1',
    occurred_at: '2026-01-01T00:00:00.000Z',
    payload: { account_number: `A-${number}`, account_user_emails: [] },
  };
}
