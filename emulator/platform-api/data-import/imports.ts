import type { ImportSupplier } from '../../run/import-supplier.js';
import type { Input } from '../../run/inputs.js';
import type { Session } from '../../run/session.js';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import { dataImportOrder, type OrderInput } from '../../scenarios/import/data-import-order.js';
import type { AccountInput, ImportInput } from '../../scenarios/import/import-input.js';
import type { Reference } from './references.js';

/** An account that was sent, from the log of inputs. */
export interface KnownImport {
  readonly supplier: string;
  readonly externalNumber: string;
  readonly cell: number;
  /** The version that was last sent for import; undefined if the import was only rehearsed. */
  readonly latest: AccountInput | undefined;
  /** Locations of the documents of the account and of its later notes. */
  readonly documents: readonly string[];
  readonly transactions: number;
  /** Digests of notes and transactions by reference. */
  readonly references: Readonly<Record<'notes' | 'transactions', ReadonlyMap<string, string>>>;
}

/** Returns a function for the imports of the current run, which reads new entries of the log of inputs. */
export function followImports(session: () => Session): () => Imports {
  let generation: number | undefined;
  let imports: Imports | undefined;
  return () => {
    const { generation: present, plan, played } = session();
    if (imports === undefined || generation !== present) {
      generation = present;
      imports = new Imports((meterPoint) => {
        const cell = played.world.identifiers.cellAtMeterPoint(meterPoint);
        return cell !== undefined && session().knows(cell);
      });
    }
    imports.read(plan.inputs ?? []);
    return imports;
  };
}

/** The imports of one run, from its log of inputs. */
export class Imports {
  readonly #isOfHousehold: (meterPoint: string) => boolean;
  readonly #suppliers = new Map<string, ImportSupplier>();
  readonly #accounts = new Map<string, KnownImport>();
  readonly #orders = new Map<string, OrderInput>();
  /** External numbers of accounts by MPAN and MPRN. */
  readonly #holders = new Map<string, string>();
  #read = 0;

  constructor(isOfHousehold: (meterPoint: string) => boolean) {
    this.#isOfHousehold = isOfHousehold;
  }

  read(log: readonly Input[]): void {
    for (; this.#read < log.length; this.#read++) this.#apply(log[this.#read] as Input);
  }

  supplier(code: string): ImportSupplier | undefined {
    return this.#suppliers.get(code);
  }

  account(externalNumber: string): KnownImport | undefined {
    return this.#accounts.get(externalNumber);
  }

  order(externalId: string): OrderInput | undefined {
    return this.#orders.get(externalId);
  }

  /** Returns the accounts that were sent for import by a supplier, in order of arrival. */
  of(supplier: string): readonly KnownImport[] {
    return [...this.#accounts.values()].filter(
      (each) => each.supplier === supplier && each.latest !== undefined,
    );
  }

  /** Whether an MPAN or MPRN belongs to another account: one sent for import, or one of a household of the run. */
  isTaken(meterPoint: string, externalNumber: unknown): boolean {
    const holder = this.#holders.get(meterPoint);
    return holder === undefined ? this.#isOfHousehold(meterPoint) : holder !== externalNumber;
  }

  #apply(input: Input): void {
    if (input.kind === 'import-supplier') this.#suppliers.set(input.supplier.code, input.supplier);
    if (input.kind !== 'start' || input.data === undefined) return;
    if (input.scenario === dataImportOrder.name) {
      const order = input.data as OrderInput;
      this.#orders.set(order.external_order_id, order);
    } else if (input.scenario === dataImportAccount.name) {
      const data = input.data as ImportInput;
      const { external_number: number } = data;
      const before = this.#accounts.get(number);
      const now = follow(data, input.cell, before);
      this.#accounts.set(number, now);
      if (now.latest === before?.latest) return;
      for (const point of meterPointsOf(before)) this.#holders.delete(point);
      for (const point of meterPointsOf(now)) this.#holders.set(point, number);
    }
  }
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
        references: { ...references, notes: digestsByName(data.account.notes) },
      };
    case 'notes':
      return {
        ...known,
        documents: [...known.documents, ...data.documents],
        references: { ...references, notes: digestsByName(data.notes, references.notes) },
      };
    case 'transactions':
      return {
        ...known,
        transactions: known.transactions + data.entries.length,
        references: { ...references, transactions: digestsByName(data.entries, references.transactions) },
      };
  }
}

function meterPointsOf(known: KnownImport | undefined): readonly string[] {
  const homes = known?.latest?.account.homes ?? [];
  return homes.flatMap(({ meter_points }) => meter_points.map(({ identifier }) => identifier));
}

function digestsByName(
  all: readonly { readonly reference?: Reference }[],
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const digests = all.flatMap(({ reference }) =>
    reference === undefined ? [] : [[reference.name, reference.digest] as const],
  );
  return new Map([...before, ...digests]);
}
