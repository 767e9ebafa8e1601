import { BusbarError } from 'busbar/base';
import { regions } from '../../world/identifiers.js';

/** Input of an import through the REST API, in JSON. */
export type ImportInput = AccountInput | NotesInput | TransactionsInput;

/** An account: only for a dry run, for import in the next window, or at once. */
export type AccountInput = Of<typeof account> & { readonly step: 'dry-run' | 'import' | 'process' };
export type NotesInput = Of<typeof notes> & { readonly step: 'notes' };
export type TransactionsInput = Of<typeof transactions> & { readonly step: 'transactions' };
export type ImportedAccount = AccountInput['account'];
export type ImportedHome = ImportedAccount['homes'][number];
export type ImportedMeterPoint = ImportedHome['meter_points'][number];
export type ImportedEntry = TransactionsInput['entries'][number];

/** Validates the input of an import. @throws BusbarError `invalid-option` */
export function readImportInput(data: unknown): ImportInput {
  const step = (data as Partial<ImportInput> | null)?.step;
  const shape = step === undefined || !Object.hasOwn(shapes, step) ? undefined : shapes[step];
  if (shape !== undefined && fits(data, shape)) return data as ImportInput;
  const message = 'The data is not an import of the REST API. Use POST /v1/data-import/.';
  throw new BusbarError('invalid-option', message);
}

type Guard<T> = (value: unknown) => value is T;

/** A guard, a list of values of one shape, or an object with those members; see `maybe`. */
type Shape = Guard<unknown> | readonly [Shape] | { readonly [member: string]: Shape };

/** The values of a shape. */
type Of<S> =
  S extends Guard<infer T>
    ? T
    : S extends readonly [infer Item]
      ? readonly Of<Item>[]
      : { readonly [K in keyof S as undefined extends Of<S[K]> ? never : K]: Of<S[K]> } & {
          readonly [K in keyof S as undefined extends Of<S[K]> ? K : never]?: Exclude<Of<S[K]>, undefined>;
        };

function fits<S extends Shape>(value: unknown, shape: S): value is Of<S> {
  if (typeof shape === 'function') return shape(value);
  if (isList(shape)) return Array.isArray(value) && value.every((each) => fits(each, shape[0]));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shape).every(([member, of]) => fits((value as Record<string, unknown>)[member], of));
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

const maybe =
  <const S extends Shape>(shape: S) =>
  (value: unknown): value is Of<S> | undefined =>
    value === undefined || fits(value, shape);
const text = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 10_000;
const whole =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const oneOf =
  <T extends string>(...texts: readonly T[]) =>
  (value: unknown): value is T =>
    texts.includes(value as T);
const flag = (value: unknown): value is boolean => typeof value === 'boolean';
/** Days since the epoch, from 1900 to 2099. */
const day = whole(-25_567, 47_481);

/** Code of the import supplier, digest of the request, and storage keys of documents, which are never opened. */
const sent = { supplier: text, external_number: text, digest: text, documents: [text] } as const;
/** The sender's name for a resource, unique in the account, and the digest of its content. */
const reference = maybe({ name: text, digest: text });
const note = { reference, body: text, created_at: maybe(text), documents: [text] } as const;
const meter = {
  serial: text,
  registers: [{ id: text, digits: whole(1, 10) }],
  reading: maybe({ on: day, value: whole(0, 1e10) }),
} as const;
const meterPoint = {
  market: oneOf('GBR_ELECTRICITY', 'GBR_GAS'),
  identifier: text,
  profile_class: maybe(whole(0, 8)),
  product: text,
  supplied_from: day,
  agreed_from: day,
  meters: [meter],
} as const;
const customer = {
  given: text,
  family: text,
  email: text,
  mobile: maybe(text),
  landline: maybe(text),
  born: maybe(text),
} as const;
const account = {
  ...sent,
  account: {
    customers: [customer],
    account_type: maybe(text),
    sales_channel: maybe(text),
    billing: maybe({ name: maybe(text), addressLine1: maybe(text), postcode: maybe(text) }),
    homes: [
      {
        address: { line1: text, line2: maybe(text), postcode: text },
        /** Letter of the distribution region. */
        region: oneOf(...regions.map(({ letter }) => letter)),
        meter_points: [meterPoint],
      },
    ],
    /** Pence in the customer's favour; negative for a debt. */
    balance: whole(-1e11, 1e11),
    metadata: [{ key: text, value: text }],
    // Imported after the account.
    notes: [note],
    statements: [{ statement_id: text, document: text, issued_on: maybe(text) }],
    /** Whether customers get an e-mail about the import. */
    customer_emails: flag,
  },
} as const;
const notes = { ...sent, notes: [note] } as const;
const transactions = {
  ...sent,
  entries: [{ reference, kind: oneOf('charge', 'credit', 'payment'), amount: whole(0, 1e11) }],
} as const;

const shapes: Readonly<Record<ImportInput['step'], Shape>> = {
  'dry-run': account,
  import: account,
  process: account,
  notes,
  transactions,
};
