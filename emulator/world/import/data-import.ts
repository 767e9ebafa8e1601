import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import { type Account, type Cell, newOccupancy, type Property, type SupplyPoint } from '../cell.js';
import { releaseHome } from '../customer/customer.js';
import { propertiesPerCell, type Region } from '../identifiers.js';
import { occurrence } from '../occurrence.js';
import { type ImportError, importErrors, type ImportStatus, type laterResources } from './words.js';

/**
 * The import of an account from another supplier. Key of its events: the external number, because the account has no
 * number before the import.
 */
export interface ImportProcess {
  /** The other supplier's number; simulated imports have `EXT-` and a number. */
  readonly externalNumber: string;
  status: ImportStatus;
  /** The imported account. */
  account: Account | undefined;
  /** Code of the import supplier; undefined for a simulated import. */
  supplier: string | undefined;
  /** Number of attempts. A new attempt replaces an unfinished one. */
  attempt: number;
  /** For example `DOMESTIC`. */
  accountType: string | undefined;
  salesChannel: string | undefined;
  /** Notes and statements imported after the account. */
  readonly notes: ImportedNote[];
  readonly statements: ImportedStatement[];
}

interface ImportedNote {
  readonly body: string;
  /** RFC 3339. */
  readonly created_at?: string;
  /** Storage keys of its documents. */
  readonly documents: readonly string[];
}

interface ImportedStatement {
  /** The other supplier's id. */
  readonly statement_id: string;
  /** Storage key. */
  readonly document: string;
  readonly issued_on?: string;
}

/** Returns the import of that number, by default a new one that the cell does not keep yet. */
export function announceImport(cell: Cell, externalNumber: string): ImportProcess {
  const known = importOf(cell, externalNumber);
  return (
    known ?? {
      externalNumber,
      status: 'PENDING',
      account: undefined,
      supplier: undefined,
      attempt: 0,
      accountType: undefined,
      salesChannel: undefined,
      notes: [],
      statements: [],
    }
  );
}

/** Starts an import, or a new attempt. Without `sent` it is simulated, under the next number. */
export function startImport(
  cell: Cell,
  sent?: { readonly external_number: string; readonly supplier: string },
): ImportProcess {
  const number = sent?.external_number ?? `EXT-${cell.ids.integer('external account')}`;
  const imported = announceImport(cell, number);
  imported.status = 'PENDING';
  imported.supplier = sent?.supplier;
  imported.attempt++;
  imports.of(cell).set(number, imported);
  return imported;
}

export function importOf(cell: Cell, externalNumber: string): ImportProcess | undefined {
  return imports.of(cell).get(externalNumber);
}

/** Returns the import of the account, or undefined for an account that was not imported. */
export function importBehind(cell: Cell, account: Account): ImportProcess | undefined {
  for (const imported of imports.of(cell).values()) if (imported.account === account) return imported;
  return undefined;
}

/** Whether it is too late for another attempt. */
export function isUnderWay({ status }: ImportProcess): boolean {
  return status === 'IN_PROGRESS' || status === 'PROCESSED';
}

const imports = cellState<Map<string, ImportProcess>>(() => new Map());

export function addHome(
  cell: Cell,
  points: readonly Pick<SupplyPoint, 'market' | 'identifier'>[],
  region: Region,
): Property {
  const imported = cell.properties.slice(propertiesPerCell).flatMap(({ supplyPoints }) => supplyPoints);
  const first = propertiesPerCell + imported.length;
  const supplyPoints = points.map(({ market, identifier }, nth) => ({
    id: cell.ids.integer('supply point'),
    market,
    identifier,
    place: first + nth,
  }));
  const home = { id: cell.ids.integer('property'), region, supplyPoints };
  cell.properties.push(home);
  return home;
}

export function completeDryRun(imported: ImportProcess) {
  const { externalNumber } = imported;
  imported.status = 'DRY_RUN_SUCCEEDED';
  return occurrence('data_import.import_process.dry_run_complete', externalNumber, {
    v1: resourceOf(externalNumber),
  });
}

export function failDryRun(imported: ImportProcess, error: ImportError) {
  const { externalNumber } = imported;
  imported.status = 'DRY_RUN_ERRORED';
  return occurrence('data_import.import_process.dry_run_error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/** Cancels an import that did not run before its window closed. */
export function cancelImport(imported: ImportProcess, windowEnded: Instant) {
  const { externalNumber } = imported;
  imported.status = 'CANCELLED';
  return occurrence('data_import.import_process.cancelled', externalNumber, {
    v1: { ...resourceOf(externalNumber), expiry_window_end: formatInstant(windowEnded) },
  });
}

export function failImport(imported: ImportProcess, error: ImportError) {
  const { externalNumber } = imported;
  imported.status = 'ERRORED';
  return occurrence('data_import.import_process.error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/** Completes the import: the account occupies its homes and is supplied in each from its first day of supply, `from`. */
export function completeImport(
  cell: Cell,
  imported: ImportProcess,
  account: Account,
  homes: readonly { readonly home: Property; readonly from: Day }[],
) {
  const { externalNumber } = imported;
  imported.status = 'PROCESSED';
  imported.account = account;
  account.status = 'ACTIVE';
  if (imported.supplier !== undefined) {
    // Later scenarios of the cell use the first active account: the one sent through the REST API.
    cell.accounts.splice(cell.accounts.indexOf(account), 1);
    cell.accounts.unshift(account);
  }
  for (const { home, from } of homes) {
    account.occupancies.push(newOccupancy(cell.ids, home, Math.min(from, cell.today), from));
    releaseHome(cell, home);
  }
  return occurrence('data_import.import_process.complete', externalNumber, {
    v1: { ...resourceOf(externalNumber), identifier: account.number },
  });
}

type LaterResource = keyof typeof laterResources;

export function completeLaterImport(
  { externalNumber }: ImportProcess,
  resource: LaterResource,
  account: Account,
) {
  return occurrence('data_import.import_process.post_import.completed', externalNumber, {
    v1: { ...followingOf(externalNumber, resource), identifier: account.number },
  });
}

export function failLaterImport(
  { externalNumber }: ImportProcess,
  resource: LaterResource,
  error: ImportError,
) {
  return occurrence('data_import.import_process.post_import.error', externalNumber, {
    v1: { ...followingOf(externalNumber, resource), ...described(error) },
  });
}

function resourceOf(externalNumber: string) {
  return { resource_type: 'ACCOUNT', external_identifier: externalNumber };
}

function followingOf(externalNumber: string, resource: LaterResource) {
  return {
    resource_type: resource,
    import_process_resource_type: 'ACCOUNT',
    import_process_external_identifier: externalNumber,
  };
}

function described(error: ImportError) {
  return { error_code: error, error_detail: importErrors[error] };
}

// Orders of another system. Key of their events: its number; simulated orders have `ORD-` and a number.

/** Publishes that the order has become a joining process. */
export function completeOrder(cell: Cell, number: string) {
  return occurrence('data_import.order_process.complete', number, {
    v1: { external_order_id: number, process_id: cell.ids.number('join') },
  });
}

export function failOrder(number: string, error: ImportError) {
  return occurrence('data_import.order_process.error', number, {
    v1: { external_order_id: number, error_code: error, error_detail: importErrors[error] },
  });
}

/** Cancels an order that was not confirmed before its window closed. */
export function cancelOrder(number: string, windowEnded: Instant) {
  return occurrence('data_import.order_process.cancelled', number, {
    v1: { external_order_id: number, expiry_window_end: formatInstant(windowEnded) },
  });
}
