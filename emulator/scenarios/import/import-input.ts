import { BusbarError } from 'busbar/base';
import type { Day } from '../../engine/time.js';
import type { AddressLines } from '../../world/addresses.js';
import type { ImportedNote, ImportedStatement } from '../../world/changes/data-import.js';
import type { ContactDetails } from '../../world/customer.js';
import type { ImportedMeter } from '../../world/meters.js';
import type { EntryKind } from '../../world/cell.js';
import { regions } from '../../world/identifiers.js';

/** Input of an import through the REST API, in JSON. */
export type ImportInput = AccountInput | NotesInput | TransactionsInput;

/** An account: only for a dry run, for import in the next window, or at once. */
export interface AccountInput extends Sent {
  readonly step: 'dry-run' | 'import' | 'process';
  readonly account: ImportedAccount;
}

export interface NotesInput extends Sent {
  readonly step: 'notes';
  readonly notes: readonly (ImportedNote & Referred)[];
}

export interface TransactionsInput extends Sent {
  readonly step: 'transactions';
  readonly entries: readonly ImportedEntry[];
}

interface Sent {
  /** Code of the import supplier. */
  readonly supplier: string;
  readonly external_number: string;
  /** Digest of the request. A repeated request changes nothing. */
  readonly digest: string;
  /** Storage keys of referenced documents, which are never opened. */
  readonly documents: readonly string[];
}

interface Referred {
  /** The sender's name for the resource, unique in the account, and the digest of its content. */
  readonly reference?: { readonly name: string; readonly digest: string };
}

export interface ImportedAccount {
  readonly customers: readonly ImportedCustomer[];
  readonly account_type?: string;
  readonly sales_channel?: string;
  readonly billing?: { readonly name?: string; readonly addressLine1?: string; readonly postcode?: string };
  readonly homes: readonly ImportedHome[];
  /** Pence in the customer's favour; negative for a debt. */
  readonly balance: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** Notes and statements, imported after the account. */
  readonly notes: readonly (ImportedNote & Referred)[];
  readonly statements: readonly ImportedStatement[];
  /** Whether customers get an e-mail about the import. */
  readonly customer_emails: boolean;
}

interface ImportedCustomer extends ContactDetails {
  readonly given: string;
  readonly family: string;
  readonly email: string;
}

export interface ImportedHome {
  readonly address: AddressLines;
  /** Letter of the distribution region. */
  readonly region: string;
  readonly meter_points: readonly ImportedMeterPoint[];
}

export interface ImportedMeterPoint {
  readonly market: 'GBR_ELECTRICITY' | 'GBR_GAS';
  readonly identifier: string;
  readonly profile_class?: number;
  readonly product: string;
  /** Days since the epoch. */
  readonly supplied_from: Day;
  readonly agreed_from: Day;
  readonly meters: readonly ImportedMeter[];
}

export interface ImportedEntry extends Referred {
  readonly kind: Extract<EntryKind, 'charge' | 'credit' | 'payment'>;
  /** Pence. */
  readonly amount: number;
}

export function readImportInput(data: unknown): ImportInput {
  const step = (data as Partial<ImportInput> | null)?.step;
  const shape = step === undefined || !Object.hasOwn(shapes, step) ? undefined : shapes[step];
  if (shape !== undefined && fits(data, shape)) return data as ImportInput;
  const message = 'The data is not an import of the REST API. Use POST /v1/data-import/.';
  throw new BusbarError('invalid-option', message);
}

/** A predicate, a list of values of one shape, or an object with those members; see `maybe`. */
type Shape = ((value: unknown) => boolean) | readonly [Shape] | { readonly [member: string]: Shape };

function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'function') return shape(value);
  if (isList(shape)) return Array.isArray(value) && value.every((each) => fits(each, shape[0]));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shape).every(([member, of]) => fits((value as Record<string, unknown>)[member], of));
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

const maybe = (shape: Shape) => (value: unknown) => value === undefined || fits(value, shape);
const text = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 10_000;
const whole = (least: number, most: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const oneOf =
  (...texts: readonly string[]) =>
  (value: unknown) =>
    texts.includes(value as string);
const flag = (value: unknown) => typeof value === 'boolean';
/** 1900 to 2099. */
const day = whole(-25_567, 47_481);

const sent = { supplier: text, external_number: text, digest: text, documents: [text] } as const;
const reference = maybe({ name: text, digest: text });
const note = { reference, body: text, created_at: maybe(text), documents: [text] } as const;
const meter = {
  serial: text,
  registers: [{ id: text, digits: whole(1, 10) }],
  reading: maybe({ on: day, value: whole(0, 1e10) }),
} as const;
const account = {
  ...sent,
  account: {
    customers: [
      {
        given: text,
        family: text,
        email: text,
        mobile: maybe(text),
        landline: maybe(text),
        born: maybe(text),
      },
    ],
    account_type: maybe(text),
    sales_channel: maybe(text),
    billing: maybe({ name: maybe(text), addressLine1: maybe(text), postcode: maybe(text) }),
    homes: [
      {
        address: { line1: text, line2: maybe(text), postcode: text },
        region: oneOf(...regions.map(({ letter }) => letter)),
        meter_points: [
          {
            market: oneOf('GBR_ELECTRICITY', 'GBR_GAS'),
            identifier: text,
            profile_class: maybe(whole(0, 8)),
            product: text,
            supplied_from: day,
            agreed_from: day,
            meters: [meter],
          },
        ],
      },
    ],
    balance: whole(-1e11, 1e11),
    metadata: [{ key: text, value: text }],
    notes: [note],
    statements: [{ statement_id: text, document: text, issued_on: maybe(text) }],
    customer_emails: flag,
  },
} as const satisfies Shape;

const shapes: Readonly<Record<ImportInput['step'], Shape>> = {
  'dry-run': account,
  import: account,
  process: account,
  notes: { ...sent, notes: [note] },
  transactions: {
    ...sent,
    entries: [{ reference, kind: oneOf('charge', 'credit', 'payment'), amount: whole(0, 1e11) }],
  },
};
