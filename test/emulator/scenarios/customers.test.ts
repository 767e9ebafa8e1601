import { describe, expect, it } from 'vitest';
import { byCell, of, only } from './payloads.js';
import { play } from './play.js';

const types = (emissions: readonly { envelope: { event_type: string } }[]) =>
  emissions.map(({ envelope }) => envelope.event_type.replace(/^.*\./, ''));

describe('auth-login', () => {
  const signIn = (outcome: string) => play('auth-login', { seed: 4, instances: 30, branches: { outcome } });

  it('uses one device in both events of a second factor', async () => {
    for (const events of byCell(await signIn('signed-in-with-code'))) {
      expect(types(events)).toEqual(['login_step_completed', 'login_step_completed', 'logged_in', 'issued']);
      const [password, code] = of(events, 'auth_server.account_user.login_step_completed', 'v1');
      expect(password?.payload).toMatchObject({ step: 'PASSWORD', mfa_device_type: '' });
      const { mfa_device_type } = only(events, 'auth_server.account_user.logged_in', 'v1').payload;
      expect(['SMS', 'EMAIL', 'TOTP']).toContain(mfa_device_type);
      expect(code?.payload).toMatchObject({ step: 'MFA', mfa_device_type });
    }
  });

  it('issues a token only to the user who signed in', async () => {
    for (const events of byCell(await signIn('signed-in'))) {
      const { account_user_id, mfa_device_type } = only(
        events,
        'auth_server.account_user.logged_in',
        'v1',
      ).payload;
      expect(mfa_device_type).toBe('');
      expect(only(events, 'auth-server.access-token.issued', 'v1').payload.viewer_id).toBe(account_user_id);
    }
    for (const outcome of ['wrong-password', 'wrong-code', 'denied', 'code-not-sent']) {
      expect(of(await signIn(outcome), 'auth-server.access-token.issued', 'v1')).toEqual([]);
    }
  });

  it('fails for a locked account or an expired link in one of twelve failures', async () => {
    const failures = of(
      await play('auth-login', { seed: 5, instances: 4000 }),
      'auth_server.account_user.login_failed',
      'v1',
    ).map(({ payload }) => payload.failure_reason);
    const percent = (reason: string) =>
      (100 * failures.filter((each) => each === reason).length) / failures.length;
    expect(Math.abs(percent('INVALID_CREDENTIALS') - 85)).toBeLessThan(5);
    expect(Math.abs(percent('INVALID_MFA_CODE') - 7)).toBeLessThan(3);
    expect(Math.abs(percent('ACCOUNT_LOCKED') - 5)).toBeLessThan(3);
    expect(Math.abs(percent('EXPIRED_LINK') - 3)).toBeLessThan(2);
  });

  it('reports a reason of the failed step', async () => {
    const failures = async (outcome: string) =>
      of(await signIn(outcome), 'auth_server.account_user.login_failed', 'v1').map(({ payload }) => payload);
    const passwords = await failures('wrong-password');
    expect(passwords.length).toBeGreaterThan(30);
    expect(new Set(passwords.map(({ step }) => step))).toEqual(new Set(['PASSWORD']));
    for (const { failure_reason } of passwords) expect(failure_reason).not.toBe('INVALID_MFA_CODE');
    for (const failure of await failures('wrong-code')) {
      expect(failure).toMatchObject({ step: 'MFA', failure_reason: 'INVALID_MFA_CODE' });
    }
  });
});

describe('password-and-verification', () => {
  it('changes the password between request and login', async () => {
    const emissions = await play('password-and-verification', {
      seed: 4,
      instances: 20,
      branches: { outcome: 'signed-in', verification: 'completed' },
    });
    for (const events of byCell(emissions)) {
      expect(types(events)).toEqual([
        'password_reset_requested',
        'password_changed',
        'logged_in',
        'verification_started',
        'verification_completed',
      ]);
      const started = only(events, 'account_user.verification_started', 'v1').payload;
      expect(only(events, 'account_user.verification_completed', 'v1').payload).toEqual(started);
      expect(new Set(events.map(({ key }) => key))).toEqual(new Set([started.user_number]));
    }
  });

  it('starts no verification without a login', async () => {
    for (const outcome of ['abandoned', 'changed']) {
      const emissions = await play('password-and-verification', {
        instances: 10,
        branches: { outcome, verification: 'completed' },
      });
      expect(of(emissions, 'account_user.verification_started', 'v1')).toEqual([]);
    }
  });
});

describe('psr-and-preferences', () => {
  const tell = (branches: Record<string, string>) =>
    play('psr-and-preferences', { seed: 6, instances: 30, branches });

  it('registers each need once, with the same code for both fuels', async () => {
    for (const { payload } of of(
      await tell({ topic: 'needs', needs: 'added' }),
      'account_user.psr_records_updated',
      'v1',
    )) {
      const codes = payload.created_records.map((record) => record.electricity_industry_code);
      expect(payload.created_records.map((record) => record.gas_industry_code)).toEqual(codes);
      expect(new Set(codes).size).toBe(codes.length);
      expect(codes.length).toBeGreaterThan(0);
      expect([payload.updated_records, payload.deleted_records]).toEqual([[], []]);
    }
  });

  it('removes an existing need in an event of its own', async () => {
    const emissions = await tell({ topic: 'needs', needs: 'removed' });
    const updates = of(emissions, 'account_user.psr_records_updated', 'v1');
    expect(updates).toHaveLength(30);
    for (const { payload } of updates) {
      expect(payload.deleted_records).toHaveLength(1);
      expect([payload.created_records, payload.updated_records]).toEqual([[], []]);
    }
  });

  it('updates and removes an existing note, with its old value', async () => {
    for (const events of byCell(await tell({ topic: 'account-note', note: 'updated-then-removed' }))) {
      const created = only(events, 'account_metadata.created', 'v1').payload;
      const { changes } = only(events, 'account_metadata.updated', 'v1').payload;
      const removed = only(events, 'account_metadata.removed', 'v1').payload;
      expect(changes).toEqual({ [created.key]: { old: created.value, new: removed.value } });
      expect(removed).toMatchObject({ account_number: created.account_number, key: created.key });
      expect(removed.value).not.toBe(created.value);
    }
  });

  it('updates the e-mail address of the account too', async () => {
    const cells = byCell(await tell({ topic: 'details' }));
    expect(cells).toHaveLength(30);
    for (const events of cells) {
      const user = only(events, 'account_user.updated', 'v1').payload;
      const changes = user.changes as { email: { old: string; new: string } };
      expect(changes.email.new).toBe(user.user_email);
      expect(changes.email.new).not.toBe(changes.email.old);
      const account = only(events, 'account.updated', 'v1').payload;
      expect(account.account_user_emails).toContain(user.user_email);
      expect(user.linked_accounts).toContainEqual({ number: account.account_number, status: 'ACTIVE' });
    }
  });
});

describe('smart-read-permission', () => {
  it('changes the permission, with a matching consent', async () => {
    const emissions = await play('smart-read-permission', {
      seed: 2,
      instances: 60,
      branches: { consent: 'signed' },
    });
    const values = new Set<string>();
    for (const events of byCell(emissions)) {
      const changed = only(events, 'account.smart-meter-read-permission-changed', 'v1').payload;
      expect(changed.new_permission).not.toBe(changed.old_permission);
      const { consent } = only(events, 'consents.consent.updated', 'v1').payload;
      expect(consent.value).toBe(changed.new_permission === 'NO_CONSENT' ? 'REJECTED' : 'ACCEPTED');
      expect(consent.signed_at.slice(0, 10)).toBe(changed.effective_from);
      values.add(consent.value);
    }
    expect(values).toEqual(new Set(['ACCEPTED', 'REJECTED']));
  });
});

describe('user-removed', () => {
  it("removes one user's access in office hours", async () => {
    for (const events of byCell(await play('user-removed', { instances: 20 }))) {
      const role = only(events, 'loyalty-points.user-role-removal', 'v1');
      const removed = only(events, 'account_user.removed', 'v1');
      expect(removed.payload.user_id).toBe(role.payload.user_id);
      expect(removed.key).toBe(removed.payload.user_number);
      expect(removed.payload.linked_accounts).toHaveLength(1);
    }
  });
});
