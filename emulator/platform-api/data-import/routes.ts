import type { RequestHandler, Response } from 'express';
import type { platformApi } from '../../../catalogue/index.js';
import { london } from '../../engine/calendar.js';
import { formatDay } from '../../engine/time.js';
import type { ImportSupplier } from '../../run/import-supplier.js';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import { dataImportOrder } from '../../scenarios/import/data-import-order.js';
import type { NotesInput, TransactionsInput } from '../../scenarios/import/import-input.js';
import { importOf, isUnderWay } from '../../world/changes/data-import.js';
import { buckets } from '../../world/vocabulary/platform.js';
import type { Answers } from '../answers.js';
import { notFound, type Problem } from '../api-error.js';
import { locatorOf, pathParameter } from '../locator.js';
import { defaultPageSize, pageOf } from '../pages.js';
import { pageNumber, pageSize, readQuery } from '../query.js';
import { documentsOf, importedAccount, importedEntry, importedNote } from './account-data.js';
import { problemsBetweenFields, problemsOfHolders } from './account-problems.js';
import type { KnownImport } from './imports.js';
import { intake, type IntakeOptions } from './intake.js';
import { digestOf, problemsOfReferences, withoutRepeats } from './references.js';

export interface DataImportOptions extends IntakeOptions {
  readonly answers: Answers;
}

/** Transactions that an account can be followed by: a household has so many ids for entries of its ledgers. */
const mostTransactions = 300;

/** What answers the operations below `data-import/`, by their ids in the document. */
export function dataImport({ answers, ...options }: DataImportOptions) {
  const { session, imports, accept, start } = intake(options);

  /** How far an import is, by the world at this virtual instant. */
  function processOf({ supplier, externalNumber, cell, documents }: KnownImport): platformApi.ImportProcess {
    const imported = importOf(session().cellAt(cell), externalNumber);
    return {
      import_supplier: supplier,
      external_account_number: externalNumber,
      status: imported?.status ?? 'PENDING',
      account_number: imported?.account?.number ?? null,
      documents: [...documents],
    };
  }

  function known(externalNumber: string): platformApi.ImportProcess {
    const found = imports().account(externalNumber);
    if (found === undefined) throw new Error('an import that was just accepted');
    return processOf(found);
  }

  const hasBegun = (found: KnownImport) => {
    const imported = importOf(session().cellAt(found.cell), found.externalNumber);
    return imported !== undefined && isUnderWay(imported);
  };

  /** The account that a payload is about, where it can be that of its supplier. */
  const find = ({ import_supplier, external_account_number }: Partial<Identified>) => {
    const found = imports().account(String(external_account_number));
    const isTaken = found !== undefined && found.supplier !== import_supplier;
    return { found: isTaken ? undefined : found, isTaken };
  };

  function receiveAccount(body: unknown, step: 'dry-run' | 'import') {
    const today = formatDay(london.dayAt(session().run.now));
    const { payload, supplier } = accept<platformApi.ImportAccountRequest>(
      'ImportAccountRequest',
      body,
      (members) => {
        const { found, isTaken } = find(members);
        const taken = isTaken
          ? [aboutNumber('external_number_taken', 'Another import supplier has that.')]
          : [];
        const isLate =
          found?.latest !== undefined && found.latest.digest !== digestOf(members) && hasBegun(found);
        const late = isLate
          ? [aboutNumber('account_import_process_already_imported', 'Its import has begun or is over.')]
          : [];
        return [
          ...problemsBetweenFields(members, today),
          ...problemsOfHolders(members, imports().isTaken),
          ...taken,
          ...late,
        ];
      },
    );
    const { found } = find(payload);
    const account = importedAccount(payload, {
      locate: locating(supplier),
      customerEmails: supplier.behaviours.customer_emails,
    });
    const data = {
      step,
      supplier: supplier.code,
      external_number: payload.external_account_number,
      digest: digestOf(payload),
      documents: documentsOf(account),
      account,
    };
    return { data, found };
  }

  const importAccount: RequestHandler = (request, response) => {
    const { data, found } = receiveAccount(request.body, 'import');
    const isNew = found?.latest === undefined;
    if (isNew || found.latest.digest !== data.digest) start(dataImportAccount.name, data, found?.cell);
    send(response, isNew ? 201 : 200, known(data.external_number));
  };

  const rehearseImport: RequestHandler = (request, response) => {
    const { data, found } = receiveAccount(request.body, 'dry-run');
    start(dataImportAccount.name, data, found?.cell);
    send(response, 202, accepted(data.supplier, data.external_number));
  };

  const processImport: RequestHandler = (request, response) => {
    const { payload } = accept<Identified>('ImportProcessRequest', request.body, (members) =>
      isText(members.external_account_number) && find(members).found?.latest === undefined
        ? [aboutNumber('account_import_process_not_found', 'No such account was sent for import.')]
        : [],
    );
    const { found } = find(payload);
    if (found?.latest !== undefined && !hasBegun(found) && found.latest.step !== 'process') {
      start(dataImportAccount.name, { ...found.latest, step: 'process' }, found.cell);
    }
    send(response, 202, known(payload.external_account_number));
  };

  /** What follows an account needs it to be here. */
  const followable = (members: Partial<Identified>): Problem[] => {
    if (!isText(members.external_account_number)) return [];
    const { found } = find(members);
    if (found === undefined)
      return [aboutNumber('account_import_process_not_found', 'No such account was sent for import.')];
    if (processOf(found).account_number !== null) return [];
    return [aboutNumber('account_not_imported_yet', 'Its import is not over.')];
  };

  function follow(
    { import_supplier, external_account_number }: Identified,
    data: Pick<NotesInput, 'step' | 'notes'> | Pick<TransactionsInput, 'step' | 'entries'>,
    documents: readonly string[] = [],
  ) {
    const about = { supplier: import_supplier, external_number: external_account_number };
    const all = data.step === 'notes' ? data.notes : data.entries;
    if (all.length > 0) {
      const cell = imports().account(external_account_number)?.cell;
      start(dataImportAccount.name, { ...data, ...about, digest: digestOf(data), documents }, cell);
    }
    return accepted(import_supplier, external_account_number);
  }

  /** What has come under references so far. */
  const referencesOf = (members: Partial<Identified>, member: 'notes' | 'transactions') =>
    find(members).found?.references[member] ?? new Map<string, string>();

  const importNotes: RequestHandler = (request, response) => {
    type Body = platformApi.ImportNotesRequest;
    const { payload, supplier } = accept<Body>('ImportNotesRequest', request.body, (members) => [
      ...followable(members),
      ...problemsOfReferences(members.notes, 'notes', referencesOf(members, 'notes')),
    ]);
    const fresh = withoutRepeats(payload.notes, referencesOf(payload, 'notes'));
    const notes = fresh.map((note) => importedNote(note, locating(supplier)));
    const documents = notes.flatMap((note) => note.documents);
    send(response, 202, follow(payload, { step: 'notes', notes }, documents));
  };

  const importTransactions: RequestHandler = (request, response) => {
    type Body = platformApi.ImportTransactionsRequest;
    const { payload } = accept<Body>('ImportTransactionsRequest', request.body, (members) => {
      const known = referencesOf(members, 'transactions');
      const before = find(members).found?.transactions ?? 0;
      const coming = withoutRepeats(members.transactions, known).length;
      const detail = `An account can be followed by ${mostTransactions} transactions here.`;
      const tooMany = { detail, code: 'too_many', attr: 'transactions' };
      return [
        ...followable(members),
        ...problemsOfReferences(members.transactions, 'transactions', known),
        ...(before + coming > mostTransactions ? [tooMany] : []),
      ];
    });
    const fresh = withoutRepeats(payload.transactions, referencesOf(payload, 'transactions'));
    send(response, 202, follow(payload, { step: 'transactions', entries: fresh.map(importedEntry) }));
  };

  const importOrder: RequestHandler = (request, response) => {
    type Body = platformApi.ImportOrderRequest;
    const { payload } = accept<Body>('ImportOrderRequest', request.body, (members) => {
      const before = imports().order(String(members.external_order_id));
      const isSame = before?.supplier === members.import_supplier && before?.digest === digestOf(members);
      if (before === undefined || isSame) return [];
      const detail = 'An order of that id was sent before.';
      return [{ detail, code: 'order_already_imported', attr: 'external_order_id' }];
    });
    const { import_supplier: supplier, external_order_id } = payload;
    if (imports().order(external_order_id) === undefined) {
      start(dataImportOrder.name, { supplier, external_order_id, digest: digestOf(payload) }, undefined);
    }
    send(response, 202, accepted(supplier, external_order_id));
  };

  const listImports: RequestHandler = (request, response) => {
    const locator = locatorOf(request);
    const page = readQuery(locator.searchParams, { page: pageNumber, page_size: pageSize(defaultPageSize) });
    const code = pathParameter(request, 'import_supplier');
    if (imports().supplier(code) === undefined) throw notFound();
    const found = imports().of(code);
    const at = (place: number) => processOf(found[place] as KnownImport);
    answers.send(response, pageOf({ count: found.length, at }, page, locator));
  };

  const readImport: RequestHandler = (request, response) => {
    const found = imports().account(pathParameter(request, 'external_account_number'));
    if (found?.latest === undefined || found.supplier !== pathParameter(request, 'import_supplier'))
      throw notFound();
    answers.send(response, processOf(found));
  };

  function send(response: Response, status: number, body: unknown): void {
    response.status(status);
    answers.send(response, body);
  }

  return {
    write: { importAccount, rehearseImport, processImport, importNotes, importTransactions, importOrder },
    read: { listImports, readImport },
  };
}

interface Identified {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

function aboutNumber(code: string, detail: string): Problem {
  return { detail, code, attr: 'external_account_number' };
}

function accepted(import_supplier: string, external_identifier: string): platformApi.ImportAccepted {
  return { import_supplier, external_identifier };
}

/** Bucket, root location and path (specification, document path fields, 2). */
function locating({ root_location }: ImportSupplier): (path: string) => string {
  return (path) => `${buckets.production}/${root_location}/${path}`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
