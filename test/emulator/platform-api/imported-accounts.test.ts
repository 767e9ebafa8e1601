import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { formatDay } from '../../../emulator/engine/time.js';
import type { OutgoingEvent } from '../../../emulator/index.js';
import { presentSupplies } from '../../../emulator/world/supplies.js';
import { accountOf, supplier, withKey } from './data-import-payloads.js';
import { importing } from './importing.js';

type Request = platformApi.ImportAccountRequest;

/** A couple with two homes: gas in both, two electricity meter points in the second. */
function landlords(): Request {
  const [one, two, three] = [1, 2, 3].map((nth) => accountOf(`N-${nth}`, { gas: true }));
  const [home] = one!.supply_addresses;
  const [second] = two!.supply_addresses;
  const [third] = three!.supply_addresses;
  const [electricity, gas] = home.meter_points;
  Object.assign(electricity, {
    profile_class: 2,
    meters: [
      {
        meter_serial_number: '19K0012345',
        registers: [
          { register_id: '01', number_of_digits: 5 },
          { register_id: '02', number_of_digits: 5 },
        ],
      },
    ],
  });
  Object.assign(gas!, {
    meters: [
      {
        meter_serial_number: 'G4A00123',
        registers: [{ register_id: '1', number_of_digits: 5 }],
        transfer_readings: [
          { register_id: '1', reading_date: '2026-03-01', value: '4711.4', reading_type: 'ROUTINE' },
        ],
      },
    ],
  });
  return {
    ...one!,
    customers: [
      { ...one!.customers[0], mobile: '+447700900123', date_of_birth: '1980-02-29' },
      { given_name: 'Jago', family_name: 'Penhale', email: 'jago@example.org', landline: '01632 960123' },
    ],
    billing_name: 'A. & J. Penhale',
    billing_address1: 'PO Box 7',
    billing_postcode: 'XC1 9ZZ',
    account_type: 'DOMESTIC',
    sales_channel: 'BROKER',
    metadata: [{ key: 'favourite_colour', value: 'blue' }],
    notes: [
      {
        body: 'Prefers letters.',
        created_at: '2025-11-02T10:00:00Z',
        document_paths: [{ document_path: 'n/1.pdf' }],
      },
    ],
    statements: [{ statement_id: 'S-1', statement_path: 's/1.pdf', issued_on: '2026-02-01' }],
    supply_addresses: [
      { ...home, supply_address1: 'Flat 3, Tower House', supply_address2: '12 High Street' },
      {
        ...second,
        supply_address1: 'Lantern Cottage',
        supply_address2: 'Little Wold',
        meter_points: [...second.meter_points, third.meter_points[0]] as never,
      },
    ],
  };
}

const emailsSent = ['ada.1@example.com', 'jago@example.org'];

/** The emulator with that account imported, a day later. */
async function imported(sent: Request) {
  const api = await importing();
  expect((await api.post('accounts', sent)).status).toBe(201);
  await api.play(1);
  const { account_number } = await api.process(sent.external_account_number);
  const number = account_number ?? '';
  const account = () => api.get<platformApi.Account>(`accounts/${number}/`, withKey);
  return { ...api, number, account };
}

describe('an imported account', () => {
  it('shows its customers, billing, notes and statements as they were sent', async () => {
    const { account } = await imported(landlords());
    expect(await account()).toMatchObject({
      status: 'ACTIVE',
      import_supplier: supplier,
      customers: [
        {
          given_name: 'Ada',
          family_name: 'Penhale',
          email: 'ada.1@example.com',
          mobile: '+447700900123',
          date_of_birth: '1980-02-29',
        },
        { given_name: 'Jago', email: 'jago@example.org', landline: '01632 960123' },
      ],
      billing_name: 'A. & J. Penhale',
      billing_address_line_1: 'PO Box 7',
      billing_postcode: 'XC1 9ZZ',
      account_type: 'DOMESTIC',
      sales_channel: 'BROKER',
      metadata: [
        { key: 'external_account_number', value: 'N-1' },
        { key: 'favourite_colour', value: 'blue' },
      ],
      notes: [
        {
          body: 'Prefers letters.',
          created_at: '2025-11-02T10:00:00Z',
          documents: [`emulator-production-files/import/${supplier}/n/1.pdf`],
        },
      ],
      statements: [
        {
          statement_id: 'S-1',
          document: `emulator-production-files/import/${supplier}/s/1.pdf`,
          issued_on: '2026-02-01',
        },
      ],
    });
  });

  it('shows every home with its address, meter points and meters', async () => {
    const sent = landlords();
    const { account, payloads } = await imported(sent);
    const { properties } = await account();
    expect(properties).toMatchObject([
      {
        address_line_1: 'Flat 3, Tower House',
        address_line_2: '12 High Street',
        address_line_3: '',
        postcode: 'XC1 1AA',
        electricity_meter_points: [
          {
            profile_class: 2,
            meters: [
              {
                serial_number: '19K0012345',
                registers: [
                  { identifier: '01', rate: 'DAY' },
                  { identifier: '02', rate: 'NIGHT' },
                ],
              },
            ],
          },
        ],
        gas_meter_points: [{ meters: [{ serial_number: 'G4A00123' }] }],
      },
      { address_line_1: 'Lantern Cottage', address_line_2: 'Little Wold' },
    ]);
    const points = properties.map((home) => [
      ...home.electricity_meter_points.map(({ mpan }) => mpan),
      ...home.gas_meter_points.map(({ mprn }) => mprn),
    ]);
    const sentPoints = sent.supply_addresses.map(({ meter_points }) =>
      meter_points.map(({ identifier }) => identifier),
    );
    expect(points.map((each) => each.toSorted())).toEqual(sentPoints.map((each) => each.toSorted()));
    const serials = properties.flatMap((home) =>
      [...home.electricity_meter_points, ...home.gas_meter_points].flatMap(({ meters }) =>
        meters.map(({ serial_number }) => serial_number),
      ),
    );
    expect(new Set(serials).size).toBe(5);
    expect(payloads('agreement.created')).toHaveLength(5);
    const registered = [
      ...payloads('meterpoint.elec.cos_gain.registration.requested').map(({ mpan }) => mpan),
      ...payloads('meterpoint.gas.api_backfill').map(({ mprn }) => mprn),
    ];
    expect(registered.sort()).toEqual(sentPoints.flat().sort());
  });

  it.each([
    ['has begun before', '2025-06-01', '2025-05-31T23:00:00Z'],
    ['begins later', '2026-03-05', '2026-03-02T00:00:00Z'],
  ])('lives there already where its supply %s', async (_, supplyStart, movedIn) => {
    const sent = accountOf('N-1');
    const [point] = sent.supply_addresses[0].meter_points;
    point.supply_start_date = supplyStart;
    point.agreements[0].effective_from = supplyStart;
    const { account, emulator, number } = await imported(sent);
    const { status, properties } = await account();
    expect([status, properties[0]?.moved_in_at]).toEqual(['ACTIVE', movedIn]);
    const { cell, account: known } = emulator.accountAt(number);
    const supply = presentSupplies(cell).find((each) => each.account === known);
    expect(formatDay(supply?.from ?? 0)).toBe(supplyStart);
  });

  it('appears in later events with its data', async () => {
    const { emulator, number, play, payloads, emissions } = await imported(landlords());
    const before = emissions.length;
    emulator.start('gas-mam-and-backfill', { account: number, branches: { work: 'backfill' } });
    for (let time = 0; time < 8; time++) {
      emulator.start('psr-and-preferences', { account: number, branches: { topic: 'details' } });
    }
    await play(10);
    const keys = emissions.slice(before).filter(({ key }) => key.startsWith('A-'));
    expect(new Set(keys.map(({ key }) => key))).toEqual(new Set([number]));
    expect(payloads('meterpoint.gas.backfill')[0]).toMatchObject({
      building_name: 'Flat 3, Tower House',
      building_number: '12',
      principal_street: 'High Street',
      postcode: 'XC1 1AA',
      meter_serial_number: 'G4A00123',
      meter_digits: 5,
    });
    const changes = payloads('account.updated').map((each) => each.changes);
    expect(changes).toContainEqual(
      expect.objectContaining({ account_user_emails: expect.objectContaining({ old: emailsSent }) }),
    );
    const renamed = changes.find((each) => Object.hasOwn(each as object, 'billing_name'));
    expect(renamed).toMatchObject({ billing_name: { old: 'A. & J. Penhale' } });
  });

  it('gets bills only from the day of its supply', async () => {
    const { emulator, number, play, emissions } = await imported(accountOf('N-1'));
    const before = emissions.length;
    const start = (days: number) =>
      emulator.start('billing-cycle', { account: number, at: emulator.now + days * 86_400_000 });
    expect(() => start(0)).toThrow(
      `"${number}" is not on supply on 2026-03-03. Its supply starts on 2026-03-05.`,
    );
    expect(start(9).account).toBe(number);
    await play(60);
    const keys = emissions.slice(before).map(({ key }) => key);
    expect(new Set(keys.filter((key) => key.startsWith('A-')))).toEqual(new Set([number]));
  });

  it('repeats byte for byte from the same log of inputs', async () => {
    const first = await imported(landlords());
    const again = await importing({ inputs: first.emulator.plan.inputs ?? [] });
    await again.play(1);
    const bytes = (all: readonly OutgoingEvent[]) => all.map((each) => Buffer.from(each.bytes).toString());
    expect(bytes(again.emissions)).toEqual(bytes(first.emissions));
    expect(await again.get(`accounts/${first.number}/`, withKey)).toEqual(await first.account());
  });

  it('fails for tariffs of different regions at one address', async () => {
    const { refusal } = await importing();
    const sent = accountOf('N-1', { gas: true });
    sent.supply_addresses[0].meter_points[1]!.agreements[0].tariff_code = 'G-1R-VAR-22-11-01-A';
    expect(await refusal('accounts', sent)).toBe(
      '400 account_failed_validation ' +
        'supply_addresses.0.meter_points.1.agreements.0.tariff_code:tariff_code_not_found',
    );
  });
});

describe('a reference', () => {
  const about = { import_supplier: supplier, external_account_number: 'N-1' };
  const payment = { transaction_type: 'PAYMENT', amount: '12.50', posted_on: '2026-02-27' };

  it('keeps a note or a transaction that is sent again from counting twice', async () => {
    const { post, play, payloads, account } = await imported(accountOf('N-1'));
    const posted = () => payloads('billing.ledger.entry_posted').filter(({ entry }) => entry).length;
    const first = [{ ...payment, reference: 'T-1' }];
    const more = [...first, { ...payment, reference: 'T-2' }, payment];
    for (const transactions of [first, first, more]) {
      expect((await post('transactions', { ...about, transactions })).status).toBe(202);
    }
    await play(1);
    expect(posted()).toBe(3);
    const notes = [{ body: 'Called.', reference: 'C-1' }];
    for (let time = 0; time < 2; time++) expect((await post('notes', { ...about, notes })).status).toBe(202);
    await play(1);
    expect((await account()).notes).toEqual([{ body: 'Called.', documents: [] }]);
  });

  it('fails for other content', async () => {
    const { post, refusal } = await imported(accountOf('N-1'));
    const named = { ...payment, reference: 'T-1' };
    await post('transactions', { ...about, transactions: [named] });
    const other = { ...named, amount: '12.51' };
    expect(await refusal('transactions', { ...about, transactions: [payment, other] })).toBe(
      '400 account_failed_validation transactions.1.reference:reference_already_used',
    );
    const twice = [
      { body: 'One.', reference: 'C-1' },
      { body: 'One.', reference: 'C-1' },
    ];
    expect(await refusal('notes', { ...about, notes: twice })).toBe(
      '400 account_failed_validation notes.1.reference:reference_already_used',
    );
  });
});
