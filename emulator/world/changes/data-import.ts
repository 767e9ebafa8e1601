import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import { type Account, type Cell, newOccupancy, type Property } from '../cell.js';
import { releaseHome } from '../homes.js';
import { occurrence } from '../occurrence.js';
import { type ImportError, importErrors, type laterResources } from '../vocabulary/import.js';

/**
 * An account on its way to us from another supplier. Until it is here nobody knows its number: all that is said about
 * the process itself has the number that the other supplier gave it as its key.
 */
export interface ImportProcess {
  /** `EXT-` and the other supplier's number. */
  readonly externalNumber: string;
}

export function startImport(cell: Cell): ImportProcess {
  return { externalNumber: `EXT-${cell.ids.integer('external account')}` };
}

/** The rehearsal shows that the account can be imported. */
export function completeDryRun({ externalNumber }: ImportProcess): Occurrence {
  return occurrence('data_import.import_process.dry_run_complete', externalNumber, {
    v1: resourceOf(externalNumber),
  });
}

/** The rehearsal shows what would go wrong. */
export function failDryRun({ externalNumber }: ImportProcess, error: ImportError): Occurrence {
  return occurrence('data_import.import_process.dry_run_error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/** Nobody ran the import before its window closed. */
export function cancelImport({ externalNumber }: ImportProcess, windowEnded: Instant): Occurrence {
  return occurrence('data_import.import_process.cancelled', externalNumber, {
    v1: { ...resourceOf(externalNumber), expiry_window_end: formatInstant(windowEnded) },
  });
}

export function failImport({ externalNumber }: ImportProcess, error: ImportError): Occurrence {
  return occurrence('data_import.import_process.error', externalNumber, {
    v1: { ...resourceOf(externalNumber), ...described(error) },
  });
}

/** The account is here, with all that was to come at once: it lives in that home now. */
export function completeImport(
  cell: Cell,
  { externalNumber }: ImportProcess,
  { account, home, from }: { readonly account: Account; readonly home: Property; readonly from: Day },
): Occurrence {
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
