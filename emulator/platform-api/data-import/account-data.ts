import { defined } from 'busbar/base';
import type { platformApi } from 'busbar/catalogue';
import type {
  ImportedAccount,
  ImportedEntry,
  ImportedHome,
  ImportedMeterPoint,
} from '../../scenarios/import/import-input.js';
import type { ImportedMeter } from '../../world/industry/meters.js';
import type { ImportSupplier } from '../../run/import-supplier.js';
import { buckets } from '../../world/storage.js';
import { findTariff } from '../../world/products/rates.js';
import { referenceIn } from './references.js';

type Payload = platformApi.ImportAccountRequest;

/** Converts a valid account to the form of the world. @param locate Returns the location of a document path. */
export function importedAccount(
  payload: Payload,
  { locate, customerEmails }: { readonly locate: (path: string) => string; readonly customerEmails: boolean },
): ImportedAccount {
  const { billing_name: name, billing_address1: addressLine1, billing_postcode: postcode } = payload;
  const { account_type, sales_channel } = payload;
  const billing = defined({ name, addressLine1, postcode });
  return {
    customers: payload.customers.map(
      ({ given_name: given, family_name: family, email, mobile, landline, date_of_birth: born }) => ({
        given,
        family,
        email,
        ...defined({ mobile, landline, born }),
      }),
    ),
    ...defined({ account_type, sales_channel }),
    ...(Object.keys(billing).length > 0 && { billing }),
    homes: payload.supply_addresses.map(importedHome),
    balance: pence(payload.transfer_balance ?? '0'),
    metadata: (payload.metadata ?? []).map(({ key, value }) => ({ key, value })),
    notes: (payload.notes ?? []).map((note) => importedNote(note, locate)),
    statements: (payload.statements ?? []).map(({ statement_id, statement_path, issued_on }) => ({
      statement_id,
      document: locate(statement_path),
      ...defined({ issued_on }),
    })),
    customer_emails: customerEmails,
  };
}

export function importedNote(note: platformApi.ImportNote, locate: (path: string) => string) {
  const { body, created_at, document_paths = [] } = note;
  return {
    ...referenceIn(note),
    body,
    ...defined({ created_at }),
    documents: document_paths.map(({ document_path }) => locate(document_path)),
  };
}

export function importedEntry(transaction: platformApi.ImportTransaction): ImportedEntry {
  const { transaction_type, amount } = transaction;
  const kind = transaction_type.toLowerCase() as Lowercase<typeof transaction_type>;
  return { ...referenceIn(transaction), kind, amount: pence(amount) };
}

/** Returns a function that locates a document: bucket, root location, path (specification, document path fields, 2). */
export function documentLocator({ root_location }: ImportSupplier): (path: string) => string {
  return (path) => `${buckets.production}/${root_location}/${path}`;
}

export function documentsOf({ notes, statements }: ImportedAccount): string[] {
  return [...notes.flatMap(({ documents }) => documents), ...statements.map(({ document }) => document)];
}

function importedHome(sent: platformApi.ImportSupplyAddress): ImportedHome {
  const { supply_address1, supply_address2, supply_postcode, meter_points } = sent;
  const [first] = meter_points;
  return {
    address: {
      line1: supply_address1,
      ...defined({ line2: supply_address2 }),
      postcode: supply_postcode,
    },
    region: findTariff(first.agreements[0].tariff_code)?.region ?? '',
    meter_points: meter_points.map(importedPoint),
  };
}

function importedPoint(point: platformApi.ImportMeterPoint): ImportedMeterPoint {
  const {
    identifier,
    supply_type,
    supply_start_date,
    profile_class,
    agreements: [agreement],
    meters = [],
  } = point;
  return {
    market: supply_type === 'GAS' ? 'GBR_GAS' : 'GBR_ELECTRICITY',
    identifier,
    ...defined({ profile_class }),
    product: findTariff(agreement.tariff_code)?.product.code ?? '',
    supplied_from: dayIn(supply_start_date),
    agreed_from: dayIn(agreement.effective_from),
    meters: meters.map(importedMeter),
  };
}

function importedMeter(meter: platformApi.ImportMeter): ImportedMeter {
  const { meter_serial_number, registers = [], transfer_readings = [] } = meter;
  const main = registers[0]?.register_id ?? transfer_readings[0]?.register_id;
  const reading = transfer_readings
    .filter(({ register_id }) => register_id === main)
    .sort((one, other) => (one.reading_date < other.reading_date ? -1 : 1))
    .at(-1);
  return {
    serial: meter_serial_number,
    registers: registers.map(({ register_id, number_of_digits }) => ({
      id: register_id,
      digits: number_of_digits,
    })),
    ...(reading !== undefined && {
      reading: { on: dayIn(reading.reading_date), value: Math.floor(Number(reading.value)) },
    }),
  };
}

/** Converts pounds to pence: `-12.3` is -1230. */
function pence(pounds: string): number {
  const [, sign, whole = '', places = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(pounds) ?? [];
  const amount = Number(whole) * 100 + Number(places.padEnd(2, '0'));
  return sign === '-' && amount > 0 ? -amount : amount;
}

function dayIn(date: string): number {
  return Date.parse(date) / 86_400_000;
}
