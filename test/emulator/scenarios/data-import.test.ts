import { describe, expect, it } from 'vitest';
import { play } from './play.js';
import { byCell, of, sequences } from './payloads.js';

const imports = (branches: Record<string, string> = {}) =>
  play('data-import-account', { seed: 6, instances: 40, branches });

describe('data-import-account', () => {
  it('does a dry run, opens the account as imported, then completes', async () => {
    for (const cell of byCell(await imports({ outcome: 'completed' }))) {
      const [rehearsed] = of(cell, 'data_import.import_process.dry_run_complete', 'v1');
      const [opened] = of(cell, 'account.created', 'v1');
      const [complete] = of(cell, 'data_import.import_process.complete', 'v1');
      expect(rehearsed!.at).toBeLessThan(opened!.at);
      expect(opened!.at).toBeLessThan(complete!.at);
      expect(opened!.payload.is_imported).toBe(true);
      expect(complete!.payload.identifier).toBe(opened!.payload.account_number);
      expect(complete!.payload.external_identifier).toBe(rehearsed!.payload.external_identifier);
      const [note] = of(cell, 'account_metadata.created', 'v1');
      expect(note!.payload).toEqual({
        account_number: opened!.payload.account_number,
        key: 'external_account_number',
        value: rehearsed!.payload.external_identifier,
      });
    }
  });

  it('imports linked users and the balance', async () => {
    const emissions = await imports({ outcome: 'completed' });
    for (const cell of byCell(emissions)) {
      const [opened] = of(cell, 'account.created', 'v1');
      const users = of(cell, 'account_user.created', 'v1').map(({ payload }) => payload);
      expect(users.map(({ user_email }) => user_email)).toEqual(opened!.payload.account_user_emails);
      for (const user of users) {
        expect(user).toMatchObject({ initiator_type: 'DATA_IMPORT', is_customer_initiated: false });
        expect(user.linked_accounts).toEqual([{ number: opened!.payload.account_number, status: 'PENDING' }]);
      }
      const [posted] = of(cell, 'billing.ledger.entry_posted', 'v2');
      expect(posted!.payload.entry.source_type).toBe('DATA_IMPORT');
      expect(posted!.payload.ledger.account.number).toBe(opened!.payload.account_number);
    }
    expect(of(emissions, 'account_user.created', 'v1').length).toBeGreaterThan(42);
  });

  it('starts agreements on the day of the registration, as a migration', async () => {
    for (const cell of byCell(await imports({ outcome: 'completed', backfill: 'sent' }))) {
      const [registered] = of(cell, 'meterpoint.elec.cos_gain.registration.requested', 'v1');
      expect(registered!.payload).toMatchObject({ is_migrated: true, is_internal_transfer: true });
      const days = of(cell, 'agreement.created', 'v1').map(({ payload }) => payload.valid_from.slice(0, 10));
      const gas = of(cell, 'meterpoint.gas.api_backfill', 'v1').map(
        ({ payload }) => payload.supply_start_date,
      );
      expect(days).toHaveLength(1 + gas.length);
      for (const each of [...days, ...gas]) expect(each).toBe(registered!.payload.supply_start_date);
    }
  });

  it('opens no account if the dry run or import fails, or the window closes', async () => {
    const process = 'data_import.import_process';
    const types = async (outcome: string) => new Set(sequences(await imports({ outcome })).map(String));
    expect(await types('dry-run-failed')).toEqual(new Set([`${process}.dry_run_error`]));
    expect(await types('failed')).toEqual(new Set([`${process}.dry_run_complete,${process}.error`]));
    expect(await types('cancelled')).toEqual(new Set([`${process}.dry_run_complete,${process}.cancelled`]));
    for (const { at, payload } of of(await imports({ outcome: 'cancelled' }), `${process}.cancelled`, 'v1')) {
      expect(Date.parse(payload.expiry_window_end)).toBeLessThan(at);
    }
  });

  it('repeats a corrected dry run under the same number', async () => {
    for (const cell of byCell(await imports({ outcome: 'corrected' }))) {
      const [failed] = of(cell, 'data_import.import_process.dry_run_error', 'v1');
      const [complete] = of(cell, 'data_import.import_process.complete', 'v1');
      expect(complete!.payload.external_identifier).toBe(failed!.payload.external_identifier);
    }
  });

  it('imports later resources only after the account', async () => {
    const emissions = await imports({ outcome: 'completed', later: 'partly' });
    for (const cell of byCell(emissions)) {
      const [complete] = of(cell, 'data_import.import_process.complete', 'v1');
      const later = of(cell, 'data_import.import_process.post_import.completed', 'v1');
      const failed = of(cell, 'data_import.import_process.post_import.error', 'v1');
      expect(later.length).toBeGreaterThan(0);
      expect(failed).toHaveLength(1);
      for (const { at, payload } of [...later, ...failed]) {
        expect(at).toBeGreaterThan(complete!.at);
        expect(payload.import_process_external_identifier).toBe(complete!.payload.external_identifier);
      }
    }
  });
});

describe('data-import-order', () => {
  it('ends once, under the external number', async () => {
    const emissions = await play('data-import-order', { seed: 6, instances: 60 });
    expect(emissions).toHaveLength(60);
    const numbers = emissions.map(
      ({ envelope }) => (envelope.payload as { external_order_id: string }).external_order_id,
    );
    expect(new Set(numbers).size).toBe(60);
    expect(emissions.map(({ key }) => key)).toEqual(numbers);
  });
});
