import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import type { OutgoingEvent } from '../../../emulator/index.js';
import { accountOf, supplier, withKey } from './data-import-payloads.js';
import { importing } from './importing.js';
import { logLines } from '../../src/log-lines.js';
import { basic } from './serve.js';

const process = 'data_import.import_process';

describe('an account that is sent', () => {
  it('goes through rehearsal and import, and exists under its new number', async () => {
    const { post, process: readProcess, play, types, payloads, get } = await importing();
    const sent = { ...accountOf('N-1', { gas: true }), transfer_balance: '-12.3' };
    const { status, body } = await post('accounts', sent);
    expect([status, body.status, body.account_number]).toEqual([201, 'PENDING', null]);
    await play(1);
    const { status: reached, account_number } = await readProcess('N-1');
    expect(reached).toBe('PROCESSED');
    const story = types();
    expect(story.indexOf(`${process}.dry_run_complete`)).toBe(0);
    expect(story.indexOf('account.created')).toBe(1);
    expect(story.indexOf(`${process}.complete`)).toBeGreaterThan(story.lastIndexOf('agreement.created'));
    expect(payloads('account.created')).toEqual([
      { account_number, account_user_emails: ['ada.1@example.com'], is_imported: true },
    ]);
    expect(payloads(`${process}.complete`)[0]).toMatchObject({
      external_identifier: 'N-1',
      identifier: account_number,
    });
    expect(payloads('billing.ledger.entry_posted').at(-1)).toMatchObject({
      entry: { source_type: 'DATA_IMPORT', is_charge: true },
    });
    const account = await get<platformApi.Account>(`accounts/${account_number}/`, withKey);
    const [home] = account.properties;
    const [electricity, gas] = sent.supply_addresses[0].meter_points;
    expect(account).toMatchObject({ status: 'ACTIVE', import_supplier: supplier });
    expect(home).toMatchObject({
      electricity_meter_points: [
        { mpan: electricity.identifier, agreements: [{ tariff_code: 'E-1R-VAR-22-11-01-C' }] },
      ],
      gas_meter_points: [{ mprn: gas?.identifier }],
    });
  });

  it('appears in the list of its import supplier', async () => {
    const { post, get, ask } = await importing();
    for (const number of ['N-1', 'N-2', 'N-3']) await post('accounts', accountOf(number));
    const list = `data-import/import-suppliers/${supplier}/accounts/`;
    const first = await get<platformApi.ImportProcessList>(`${list}?page_size=2`, withKey);
    const second = await get<platformApi.ImportProcessList>(first.next ?? '', withKey);
    const numbers = [...first.results, ...second.results].map((each) => each.external_account_number);
    expect([first.count, numbers]).toEqual([3, ['N-1', 'N-2', 'N-3']]);
    for (const path of [list.replace(supplier, 'NOBODY'), `${list}N-4/`]) {
      expect((await ask(path, { headers: withKey })).status).toBe(404);
    }
  });

  it('changes nothing when it is repeated, with fields in any order', async () => {
    const { post, play, types, emulator } = await importing();
    await post('accounts', accountOf('N-1'));
    const again = Object.fromEntries(Object.entries(accountOf('N-1')).reverse());
    const inputs = emulator.plan.inputs?.length;
    expect((await post('accounts', again)).status).toBe(200);
    expect(emulator.plan.inputs).toHaveLength(inputs ?? 0);
    await play(1);
    expect((await post('accounts', again)).body.status).toBe('PROCESSED');
    await play(1);
    expect(types().filter((type) => type === 'account.created')).toHaveLength(1);
  });

  it('accepts new versions under its number until its import begins', async () => {
    const { post, play, payloads, refusal } = await importing();
    await post('accounts', accountOf('N-1'));
    const corrected = accountOf('N-1');
    corrected.customers[0].email = 'corrected@example.com';
    expect((await post('accounts', corrected)).status).toBe(200);
    await play(1);
    expect(payloads('account.created').map(({ account_user_emails }) => account_user_emails)).toEqual([
      ['corrected@example.com'],
    ]);
    expect(await refusal('accounts', accountOf('N-1'))).toBe(
      '400 account_failed_validation external_account_number:account_import_process_already_imported',
    );
  });

  it('imports nothing in a dry run', async () => {
    const { post, play, types, ask } = await importing();
    expect((await post('accounts/dry-run', accountOf('N-1'))).status).toBe(202);
    await play(2);
    expect(types()).toEqual([`${process}.dry_run_complete`]);
    const path = `data-import/import-suppliers/${supplier}/accounts/N-1/`;
    expect((await ask(path, { headers: withKey })).status).toBe(404);
  });

  it('starts its import at once on request, and not again in its window', async () => {
    const { post, play, types, refusal, process: readProcess } = await importing();
    const identified = { import_supplier: supplier, external_account_number: 'N-1' };
    expect(await refusal('accounts/process', identified)).toBe(
      '400 account_failed_validation external_account_number:account_import_process_not_found',
    );
    await post('accounts', accountOf('N-1'));
    expect((await post('accounts/process', identified)).status).toBe(202);
    await play(1 / 24);
    expect((await readProcess('N-1')).status).toBe('PROCESSED');
    await play(1);
    expect(types().filter((type) => type === `${process}.complete`)).toHaveLength(1);
    expect((await post('accounts/process', identified)).body.status).toBe('PROCESSED');
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('emits messages where customer e-mails are on: %j', async (customer_emails, messages) => {
    const { emulator, post, play, types } = await importing();
    emulator.setSupplier(supplier, { behaviours: { customer_emails } });
    await post('accounts', accountOf('N-1'));
    await play(1);
    expect(types().filter((type) => type.startsWith('ink.messages.'))).toHaveLength(messages);
    expect(types()).toContain(`${process}.complete`);
  });
});

describe('what follows an account', () => {
  it('fails before the account exists, and emits events afterwards', async () => {
    const { post, play, refusal, payloads, process: readProcess } = await importing();
    const about = { import_supplier: supplier, external_account_number: 'N-1' };
    const notes = {
      ...about,
      notes: [{ body: 'Prefers letters.', document_paths: [{ document_path: 'notes/1.pdf' }] }],
    };
    const posted = { transaction_type: 'PAYMENT', amount: '12.50', posted_on: '2026-02-27' };
    const transactions = { ...about, transactions: [posted, posted] };
    await post('accounts', accountOf('N-1'));
    for (const [path, body] of [
      ['notes', notes],
      ['transactions', transactions],
    ] as const) {
      expect(await refusal(path, body)).toBe(
        '400 account_failed_validation external_account_number:account_not_imported_yet',
      );
    }
    await play(1);
    expect((await post('notes', notes)).status).toBe(202);
    expect((await post('transactions', transactions)).status).toBe(202);
    await play(1);
    expect(
      payloads(`${process}.post_import.completed`)
        .map((each) => each.resource_type)
        .sort(),
    ).toEqual(['NOTE', 'TRANSACTION']);
    const entries = payloads('billing.ledger.entry_posted').flatMap(({ entry }) => (entry ? [entry] : []));
    expect(entries).toMatchObject([{ is_payment: true }, { is_payment: true }]);
    expect((await readProcess('N-1')).documents).toEqual([
      `emulator-production-files/import/${supplier}/notes/1.pdf`,
    ]);
  });
});

describe('an order that is sent', () => {
  it('becomes a joining process once, under its own id', async () => {
    const { post, play, payloads, refusal } = await importing();
    const { customers } = accountOf('N-1');
    const order = {
      import_supplier: supplier,
      external_order_id: 'O-1',
      customers,
      supply_postcode: 'XC1 1AA',
    };
    expect((await post('orders', order)).status).toBe(202);
    expect((await post('orders', order)).status).toBe(202);
    await play(1);
    expect(payloads('data_import.order_process.complete')).toMatchObject([{ external_order_id: 'O-1' }]);
    expect(await refusal('orders', { ...order, supply_postcode: 'XC1 1AB' })).toBe(
      '400 account_failed_validation external_order_id:order_already_imported',
    );
  });
});

describe('a payload that is not valid', () => {
  it('reports all its problems at once, each at its path', async () => {
    const { post } = await importing();
    const payload = {
      ...accountOf('N-1'),
      transfer_balance: '',
      account_type: null,
      metadata: [{ key: 'a' }],
    };
    Object.assign(payload.customers[0], { landline: '12', date_of_birth: '2026-02-30', email: undefined });
    Object.assign(payload.supply_addresses[0].meter_points[0], { identifier: '1299900000019' });
    const { status, body } = await post('accounts', payload);
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'errors']);
    expect(body.code).toBe('account_failed_validation');
    for (const each of body.errors) expect(Object.keys(each).sort()).toEqual(['attr', 'code', 'detail']);
    expect(body.errors.map(({ attr, code }) => `${attr} ${code}`).sort()).toEqual([
      'account_type null',
      'customers.0.date_of_birth invalid_date',
      'customers.0.email required',
      'customers.0.landline invalid_phone_number',
      'metadata.0.value required',
      'supply_addresses.0.meter_points.0.identifier invalid_supply_point_identifier',
      'transfer_balance blank',
    ]);
  });

  it('fails for contradictions between its fields', async () => {
    const { refusal } = await importing();
    const both = accountOf('N-1', { gas: true });
    const [, gas] = both.supply_addresses[0].meter_points;
    Object.assign(gas ?? {}, { shipper_mpid: undefined, supply_type: 'ELECTRICITY' });
    expect(await refusal('accounts', both)).toBe(
      '400 account_failed_validation ' +
        'supply_addresses.0.meter_points.1.identifier:invalid_supply_point_identifier ' +
        'supply_addresses.0.meter_points.1.agreements.0.tariff_code:tariff_code_not_found',
    );
  });

  it('fails for a meter point of another import, until that one drops it', async () => {
    const { refusal } = await importing();
    const first = accountOf('N-1');
    const second = { ...first, external_account_number: 'N-2' };
    const taken =
      '400 account_failed_validation supply_addresses.0.meter_points.0.identifier:meter_point_already_imported';
    expect(await refusal('accounts/dry-run', first)).toBe('202');
    expect(await refusal('accounts/dry-run', second)).toBe('202');
    expect(await refusal('accounts', first)).toBe('201');
    expect(await refusal('accounts', second)).toBe(taken);
    expect(await refusal('accounts/dry-run', second)).toBe(taken);
    expect(await refusal('accounts', first)).toBe('200');
    const { supply_addresses } = accountOf('N-3');
    expect(await refusal('accounts', { ...first, supply_addresses })).toBe('200');
    expect(await refusal('accounts', second)).toBe('201');
    expect(await refusal('accounts', first)).toBe(taken);
  });

  it('fails for a meter point of a household of the run', async () => {
    const { refusal, play, emissions } = await importing({ scenario: 'house-move' });
    await play(60);
    const [mpan] = /\b[12]\d999\d{8}\b/.exec(JSON.stringify(emissions)) ?? [];
    const account = accountOf('N-1');
    const [point] = account.supply_addresses[0].meter_points;
    expect(await refusal('accounts/dry-run', account)).toBe('202');
    Object.assign(point, { identifier: mpan });
    expect(await refusal('accounts', account)).toBe(
      '400 account_failed_validation supply_addresses.0.meter_points.0.identifier:meter_point_already_imported',
    );
  });

  it('needs an import supplier that exists, in every operation', async () => {
    const { refusal } = await importing();
    const paths = ['accounts', 'accounts/dry-run', 'accounts/process', 'notes', 'transactions', 'orders'];
    for (const path of paths) {
      expect(await refusal(path, {})).toContain('import_supplier:required');
      expect(await refusal(path, { import_supplier: null })).toContain('import_supplier:null');
      expect(await refusal(path, { import_supplier: 'NOBODY' })).toContain(
        'import_supplier:import_supplier_not_found',
      );
    }
  });

  it('reports only the type of a non-object body, or only its depth', async () => {
    const { refusal } = await importing();
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const paths = ['accounts', 'accounts/dry-run', 'accounts/process', 'notes', 'transactions', 'orders'];
    for (const path of paths) {
      for (const body of [[], '"text"', 7]) {
        expect(await refusal(path, body)).toBe('400 account_failed_validation :invalid_type');
      }
      for (const member of ['import_supplier', 'external_account_number', 'customers', 'notes']) {
        expect(await refusal(path, `{"${member}": ${nested}}`)).toBe(
          '400 account_failed_validation :too_many',
        );
      }
    }
  });

  it.each(['Paused', 'Complete'] as const)(
    'fails for a supplier that is %s, until it is Ongoing',
    async (status) => {
      const { emulator, refusal } = await importing();
      emulator.setSupplier(supplier, { status });
      expect(await refusal('accounts', accountOf('N-1'))).toBe(
        '400 account_failed_validation import_supplier:import_supplier_migration_not_ongoing',
      );
      emulator.setSupplier(supplier, { status: 'Ongoing' });
      expect(await refusal('accounts', accountOf('N-1'))).toBe('201');
    },
  );

  it.each([
    '/etc/passwd',
    '../x.pdf',
    'a/../../x.pdf',
    'a/%2e%2E/x.pdf',
    'a\\..\\x.pdf',
    's3://bucket/x.pdf',
    'a//x.pdf',
    './x.pdf',
  ])('fails for a path out of the root location: %s', async (statement_path) => {
    const { refusal } = await importing();
    const statements = [{ statement_id: '1', statement_path }];
    expect(await refusal('accounts', { ...accountOf('N-1'), statements })).toBe(
      '400 account_failed_validation statements.0.statement_path:invalid_document_path',
    );
  });

  it('ignores and counts undocumented fields, unless requests are strict', async () => {
    const payload = { ...accountOf('N-1'), nickname: 'secret' };
    Object.assign(payload.customers[0], { shoe_size: 43 });
    const logger = logLines();
    const { emulator, refusal } = await importing({ logger });
    expect(await refusal('accounts', payload)).toBe('201');
    expect(logger.lines).toEqual([
      'warn: undocumented fields ignored {"schema":"ImportAccountRequest","fields":2,' +
        '"fix":"See their names with --api strict-requests."}',
    ]);
    expect(JSON.stringify([logger.lines, emulator.plan.inputs])).not.toContain('secret');
    expect(await refusal('accounts', accountOf('N-1'))).toBe('200');
    const strict = await importing({ platformApi: { strictRequests: true } });
    expect(await strict.refusal('accounts', payload)).toBe(
      '400 account_failed_validation nickname:undocumented_field customers.0.shoe_size:undocumented_field',
    );
  });

  it('keeps its codes where details are worded differently', async () => {
    const { post } = await importing({ platformApi: { varyErrorWording: true } });
    const payload = accountOf('N-1');
    payload.customers[0].landline = '12';
    const details = new Set<string | undefined>();
    for (let time = 0; time < 4; time++) {
      const { errors } = (await post('accounts', payload)).body;
      expect(errors.map(({ code, attr }) => [attr, code])).toEqual([
        ['customers.0.landline', 'invalid_phone_number'],
      ]);
      details.add(errors[0]?.detail);
    }
    expect(details.size).toBeGreaterThan(1);
  });

  it('fails early if it is too large', async () => {
    const { refusal } = await importing();
    const customers = Array.from({ length: 100_000 }, () => ({}));
    expect(await refusal('accounts', { ...accountOf('N-1'), customers })).toContain(':too_many');
    let body: unknown = 'deep';
    for (let level = 0; level < 1000; level++) body = [body];
    const notes = [{ reference: 'C-1', body }];
    expect(await refusal('notes', { ...accountOf('N-1'), notes })).toContain(':too_many');
  });
});

describe('credentials for data import', () => {
  it('require the word Token before a token, or the API key', async () => {
    const { ask, refused } = await importing();
    const query = 'mutation { obtainToken(input: { apiKey: "sk_test" }) { token } }';
    const obtained = await ask('graphql/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { token } = (obtained.body as { data: { obtainToken: { token: string } } }).data.obtainToken;
    const path = `data-import/import-suppliers/${supplier}/accounts/`;
    const status = async (Authorization: string) => (await ask(path, { headers: { Authorization } })).status;
    expect(await status(`Token ${token}`)).toBe(200);
    expect(await status(basic('sk_test'))).toBe(200);
    expect(await refused(path, { headers: { Authorization: token } })).toBe('401 invalid_authorization');
    expect(await refused(path, { headers: { Authorization: `token ${token}` } })).toBe(
      '401 invalid_authorization',
    );
    expect(await refused(path)).toBe('401 not_authenticated');
  });
});

describe('the log of inputs', () => {
  it('gives the same bytes again', async () => {
    const { emulator, emissions, post, play } = await importing();
    await post('accounts', accountOf('N-1', { gas: true }));
    await play(0.01);
    await post('accounts', accountOf('N-2'));
    await play(1);
    const again = await importing({ inputs: emulator.plan.inputs ?? [] });
    await again.play(2);
    const bytes = (all: readonly OutgoingEvent[]) => all.map((each) => Buffer.from(each.bytes).toString());
    expect(bytes(again.emissions)).toEqual(bytes(emissions));
    expect(emissions.length).toBeGreaterThan(12);
  });
});
