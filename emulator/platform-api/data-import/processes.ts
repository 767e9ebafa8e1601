import type { platformApi } from 'busbar/catalogue';
import { importOf, isUnderWay } from '../../world/import/data-import.js';
import { notFound, type Problem } from '../api-error.js';
import type { PlatformHandler } from '../document.js';
import { locatorOf } from '../locator.js';
import { pageOf } from '../pages.js';
import type { KnownImport } from './imports.js';
import type { Intake } from './accept-import.js';

/** The fields of a payload that identify an account. */
export interface Identified {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

export type Processes = ReturnType<typeof importProcesses>;

/** Returns functions that find import processes and their status at the current virtual instant. */
export function importProcesses({ session, imports }: Pick<Intake, 'session' | 'imports'>) {
  const inWorld = ({ cell, externalNumber }: KnownImport) => importOf(session().cell(cell), externalNumber);

  function processOf(found: KnownImport): platformApi.ImportProcess {
    const imported = inWorld(found);
    return {
      import_supplier: found.supplier,
      external_account_number: found.externalNumber,
      status: imported?.status ?? 'PENDING',
      account_number: imported?.account?.number ?? null,
      documents: [...found.documents],
    };
  }

  /** Finds the account of a payload; `isTaken` if it belongs to another supplier. */
  function find({ import_supplier, external_account_number }: Partial<Identified>) {
    const found = imports().account(String(external_account_number));
    const isTaken = found !== undefined && found.supplier !== import_supplier;
    return { found: isTaken ? undefined : found, isTaken };
  }

  function processOfNumber(externalNumber: string): platformApi.ImportProcess {
    const found = imports().account(externalNumber);
    if (found === undefined) throw new Error('The accepted import is not in the log of inputs.');
    return processOf(found);
  }

  function hasBegun(found: KnownImport): boolean {
    const imported = inWorld(found);
    return imported !== undefined && isUnderWay(imported);
  }

  return { processOf, find, processOfNumber, hasBegun };
}

/** Returns the handlers that list the import processes of a supplier, and read one. */
export function processReaders({ imports }: Intake, { processOf }: Processes) {
  const listImports: PlatformHandler<'listImports'> = ({ parameters, request }) => {
    const { import_supplier: code, ...page } = parameters;
    if (imports().supplier(code) === undefined) throw notFound();
    const found = imports().of(code);
    const at = (index: number) => processOf(found[index] as KnownImport);
    return pageOf({ count: found.length, at }, page, locatorOf(request));
  };

  const readImport: PlatformHandler<'readImport'> = ({ parameters }) => {
    const found = imports().account(parameters.external_account_number);
    if (found?.latest === undefined || found.supplier !== parameters.import_supplier) throw notFound();
    return processOf(found);
  };

  return { listImports, readImport };
}

/** Returns the response for an accepted account or order. */
export function accepted(supplier: string, externalId: string): platformApi.ImportAccepted {
  return { import_supplier: supplier, external_identifier: externalId };
}

/** Returns a problem of the account number in a payload. */
export function aboutNumber(code: string, detail: string): Problem {
  return { detail, code, attr: 'external_account_number' };
}

export const notSent = aboutNumber(
  'account_import_process_not_found',
  'The account was not sent for import.',
);
