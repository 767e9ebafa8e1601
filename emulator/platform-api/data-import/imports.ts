import type { ImportSupplier } from '../../run/import-supplier.js';
import { importSuppliers } from '../../run/import-suppliers.js';
import type { Input } from '../../run/inputs.js';
import type { Session } from '../../run/session.js';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import { dataImportOrder, type OrderInput } from '../../scenarios/import/data-import-order.js';
import type { AccountInput, ImportInput } from '../../scenarios/import/import-input.js';
import { type Identifiers, identifiers } from '../../world/identifiers.js';
import type { Reference } from './references.js';

/** What data-import requests need of a run that things can come into. */
export type ImportSession = Pick<
  Session,
  'plan' | 'generation' | 'run' | 'events' | 'add' | 'start' | 'cellAt' | 'knowsCell'
>;

/** An account that has been sent: the log of inputs says it all. */
export interface KnownImport {
  readonly supplier: string;
  readonly externalNumber: string;
  readonly cell: number;
  /** What was sent last to be imported; undefined where it has only been rehearsed. */
  readonly latest: AccountInput | undefined;
  /** Of the account, and of what followed it. */
  readonly documents: readonly string[];
  /** Transactions that have followed it. */
  readonly transactions: number;
  /** Digests of its notes and transactions that have a reference, by that. */
  readonly references: Readonly<Record<'notes' | 'transactions', ReadonlyMap<string, string>>>;
}

/** What has come in over data-import requests, of the present run. */
export interface Imports {
  supplier(code: string): ImportSupplier | undefined;
  account(externalNumber: string): KnownImport | undefined;
  /** Whether that MPAN or MPRN is another account's: of one that was sent to be imported, or of a household of the run. */
  readonly isTaken: (meterPoint: string, externalNumber: unknown) => boolean;
  /** Accounts to be imported for the supplier, in the order in which they first came in. */
  of(supplier: string): readonly KnownImport[];
  order(externalId: string): OrderInput | undefined;
}

/** Follows the log of inputs: each request reads only what has come since the one before. */
export function followImports(session: () => ImportSession): () => Imports {
  let generation: number | undefined;
  let read = 0;
  let suppliers = new Map<string, ImportSupplier>();
  let accounts = new Map<string, KnownImport>();
  let orders = new Map<string, OrderInput>();
  let holders = new Map<string, string>();
  let names: Identifiers | undefined;

  function take(input: Input): void {
    if (input.kind === 'import-supplier') {
      for (const [code, supplier] of importSuppliers([input])) suppliers.set(code, supplier);
    }
    if (input.kind !== 'start' || input.data === undefined) return;
    if (input.scenario === dataImportOrder.name) {
      const order = input.data as OrderInput;
      orders.set(order.external_order_id, order);
    } else if (input.scenario === dataImportAccount.name) {
      const data = input.data as ImportInput;
      const { external_number: number } = data;
      const before = accounts.get(number);
      const now = follow(data, input.cell, before);
      accounts.set(number, now);
      if (now.latest === before?.latest) return;
      for (const point of meterPointsOf(before)) holders.delete(point);
      for (const point of meterPointsOf(now)) holders.set(point, number);
    }
  }

  return () => {
    const { generation: present, plan } = session();
    if (generation !== present) {
      generation = present;
      read = 0;
      suppliers = new Map();
      accounts = new Map();
      orders = new Map();
      holders = new Map();
      names = identifiers(plan.seed ?? 1);
    }
    const log = plan.inputs ?? [];
    for (; read < log.length; read++) take(log[read] as Input);
    return {
      supplier: (code) => suppliers.get(code),
      account: (externalNumber) => accounts.get(externalNumber),
      isTaken: (meterPoint, externalNumber) => {
        const holder = holders.get(meterPoint);
        if (holder !== undefined) return holder !== externalNumber;
        const cell = names?.cellAtMeterPoint(meterPoint);
        return cell !== undefined && session().knowsCell(cell);
      },
      of: (supplier) =>
        [...accounts.values()].filter((each) => each.supplier === supplier && each.latest !== undefined),
      order: (externalId) => orders.get(externalId),
    };
  };
}

function follow(data: ImportInput, cell: number, before: KnownImport | undefined): KnownImport {
  const known = before ?? {
    supplier: data.supplier,
    externalNumber: data.external_number,
    cell,
    latest: undefined,
    documents: [],
    transactions: 0,
    references: { notes: new Map(), transactions: new Map() },
  };
  const { references } = known;
  switch (data.step) {
    case 'dry-run':
      return known;
    case 'import':
    case 'process':
      return {
        ...known,
        latest: data,
        documents: data.documents,
        references: { ...references, notes: named(data.account.notes) },
      };
    case 'notes':
      return {
        ...known,
        documents: [...known.documents, ...data.documents],
        references: { ...references, notes: named(data.notes, references.notes) },
      };
    case 'transactions':
      return {
        ...known,
        transactions: known.transactions + data.entries.length,
        references: { ...references, transactions: named(data.entries, references.transactions) },
      };
  }
}

function meterPointsOf(known: KnownImport | undefined): readonly string[] {
  const homes = known?.latest?.account.homes ?? [];
  return homes.flatMap(({ meter_points }) => meter_points.map(({ identifier }) => identifier));
}

function named(
  all: readonly { readonly reference?: Reference }[],
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const digests = all.flatMap(({ reference }) =>
    reference === undefined ? [] : [[reference.name, reference.digest] as const],
  );
  return new Map([...before, ...digests]);
}
