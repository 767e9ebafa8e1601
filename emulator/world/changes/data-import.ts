import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import { type Account, type Cell, newOccupancy, type Property, type SupplyPoint } from '../cell.js';
import type { Region } from '../identifiers.js';
import { releaseHome } from '../homes.js';
import { occurrence } from '../occurrence.js';
import {
  type ImportError,
  importErrors,
  type ImportStatus,
  type laterResources,
} from '../vocabulary/import.js';

/**
 * An account on its way to us from another supplier. Until it is here nobody knows its number: all that is said about
 * the process itself has the number that the other supplier gave it as its key.
 */
export interface ImportProcess {
  /** As the other supplier gave it; of those that nobody outside sends, `EXT-` and a number. */
  readonly externalNumber: string;
  status: ImportStatus;
  /** What it became. */
  account: Account | undefined;
  /** Code of the import supplier under which somebody outside sent it. */
  supplier: string | undefined;
  /** How often it was sent: what an earlier one began is not gone on with. */
  attempt: number;
  /** `DOMESTIC`, and how the customer was won: what the import said about the account, if it did. */
  accountType: string | undefined;
  salesChannel: string | undefined;
  /** What has followed the account. */
  readonly notes: ImportedNote[];
  readonly statements: ImportedStatement[];
}

/** Something that the other supplier wrote down. */
export interface ImportedNote {
  readonly body: string;
  /** RFC 3339. */
  readonly created_at?: string;
  /** Where its documents lie. */
  readonly documents: readonly string[];
}

/** A statement of the other supplier's. */
export interface ImportedStatement {
  /** Its id there. */
  readonly statement_id: string;
  /** Where it lies. */
  readonly document: string;
  readonly issued_on?: string;
}

/** The homes that came with an account, each with its first day of supply. */
interface ImportedHomes {
  readonly homes: readonly { readonly home: Property; readonly from: Day }[];
  /** The day of the import. */
  readonly today: Day;
}

/** An account that has been sent, before there is a process. */
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

/** The account has been sent, for the first time or again: by somebody outside under its number, or under the next of ours. */
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

/** The import of that number; undefined where the cell has had none yet. */
export function importOf(cell: Cell, externalNumber: string): ImportProcess | undefined {
  return imports.of(cell).get(externalNumber);
}

/** The import that became the account; undefined for an account that was not imported. */
export function importBehind(cell: Cell, account: Account): ImportProcess | undefined {
  for (const imported of imports.of(cell).values()) if (imported.account === account) return imported;
  return undefined;
}

/** Whether it is too late to send the account again. */
export function isUnderWay({ status }: ImportProcess): boolean {
  return status === 'IN_PROGRESS' || status === 'PROCESSED';
}

const imports = cellState<Map<string, ImportProcess>>(() => new Map());

/** A home with meter points that came with an account, and that the cell did not have before. */
export function addHome(
  cell: Cell,
  points: readonly Pick<SupplyPoint, 'market' | 'identifier'>[],
  region: Region,
): Property {
  const supplyPoints = points.map(({ market, identifier }) => ({
    id: cell.ids.integer('supply point'),
    market,
    identifier,
  }));
  const home = { id: cell.ids.integer('property'), region, supplyPoints };
  cell.properties.push(home);
  return home;
}

/** The rehearsal shows that the account can be imported. */
export function completeDryRun(imported: ImportProcess): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'DRY_RUN_SUCCEEDED';
  return occurrence('data_import.import_process.dry_run_complete', externalNumber, {
    v1: resourceOf(externalNumber),
  });
}

/** The rehearsal shows what would go wrong. */
export function failDryRun(imported: ImportProcess, error: ImportError): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'DRY_RUN_ERRORED';
  return occurrence('data_import.import_process.dry_run_error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/** Nobody ran the import before its window closed. */
export function cancelImport(imported: ImportProcess, windowEnded: Instant): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'CANCELLED';
  return occurrence('data_import.import_process.cancelled', externalNumber, {
    v1: { ...resourceOf(externalNumber), expiry_window_end: formatInstant(windowEnded) },
  });
}

export function failImport(imported: ImportProcess, error: ImportError): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'ERRORED';
  return occurrence('data_import.import_process.error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/**
 * The account is here, with all that was to come at once. Its customers live in those homes already, and are supplied in
 * each from a day on.
 */
export function completeImport(
  cell: Cell,
  imported: ImportProcess,
  account: Account,
  { homes, today }: ImportedHomes,
): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'PROCESSED';
  imported.account = account;
  account.status = 'ACTIVE';
  if (imported.supplier !== undefined) {
    // What happens in the cell from now on happens to whom somebody outside has sent.
    cell.accounts.splice(cell.accounts.indexOf(account), 1);
    cell.accounts.unshift(account);
  }
  for (const { home, from } of homes) {
    account.occupancies.push(newOccupancy(cell.ids, home, Math.min(from, today), from));
    releaseHome(cell, home);
  }
  return occurrence('data_import.import_process.complete', externalNumber, {
    v1: { ...resourceOf(externalNumber), identifier: account.number },
  });
}

export type LaterResource = keyof typeof laterResources;

/** Something that could wait has followed its account. */
export function completeLaterImport(
  { externalNumber }: ImportProcess,
  resource: LaterResource,
  account: Account,
): Occurrence {
  return occurrence('data_import.import_process.post_import.completed', externalNumber, {
    v1: { ...followingOf(externalNumber, resource), identifier: account.number },
  });
}

export function failLaterImport(
  { externalNumber }: ImportProcess,
  resource: LaterResource,
  error: ImportError,
): Occurrence {
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
