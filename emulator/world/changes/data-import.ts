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
}

/** An account that has been sent, before there is a process. */
export function announceImport(cell: Cell, externalNumber: string): ImportProcess {
  const known = importOf(cell, externalNumber);
  return known ?? { externalNumber, status: 'PENDING', account: undefined, supplier: undefined, attempt: 0 };
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

/** The import supplier that the account came with; undefined for one that nobody outside has sent. */
export function importSupplierOf(cell: Cell, account: Account): string | undefined {
  for (const imported of imports.of(cell).values())
    if (imported.account === account) return imported.supplier;
  return undefined;
}

/** Whether it is too late to send the account again. */
export function isUnderWay({ status }: ImportProcess): boolean {
  return status === 'IN_PROGRESS' || status === 'PROCESSED';
}

const imports = cellState<Map<string, ImportProcess>>(() => new Map());

/** The home has the meter points that came with an account. Their ids are those that the place has. */
export function connectHome(
  cell: Cell,
  home: Property,
  points: readonly Pick<SupplyPoint, 'market' | 'identifier'>[],
  region: Region,
): void {
  const first = 2 * cell.properties.indexOf(home);
  home.region = region;
  home.supplyPoints = points.map(({ market, identifier }) => ({
    id: cell.identifiers.integer('supply point', cell.index, first + (market === 'GBR_GAS' ? 1 : 0)),
    market,
    identifier,
  }));
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

/** The account is here, with all that was to come at once: it lives in that home now. */
export function completeImport(
  cell: Cell,
  imported: ImportProcess,
  { account, home, from }: { readonly account: Account; readonly home: Property; readonly from: Day },
): Occurrence {
  const { externalNumber } = imported;
  imported.status = 'PROCESSED';
  imported.account = account;
  account.status = 'ACTIVE';
  account.occupancies.push(newOccupancy(cell.ids, home, from));
  releaseHome(cell, home);
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
