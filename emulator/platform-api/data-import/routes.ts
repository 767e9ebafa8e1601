import { createHash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { platformApi } from '../../../catalogue/index.js';
import { BusbarError } from '../../../src/errors.js';
import { london } from '../../engine/calendar.js';
import { formatDay } from '../../engine/time.js';
import type { ImportSupplier } from '../../run/import-suppliers.js';
import type { StartInput } from '../../run/inputs.js';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import { dataImportOrder, type OrderInput } from '../../scenarios/import/data-import-order.js';
import type { ImportInput } from '../../scenarios/import/import-input.js';
import { importOf, isUnderWay } from '../../world/changes/data-import.js';
import { buckets } from '../../world/vocabulary/platform.js';
import type { Answers } from '../answers.js';
import { ApiError, invalidRequest, notFound, type Problem } from '../api-error.js';
import { locatorOf, pathParameter } from '../locator.js';
import { defaultPageSize, pageOf } from '../pages.js';
import type { Products } from '../products.js';
import { pageNumber, pageSize, readQuery } from '../query.js';
import { documentPaths, importedAccount, pence, problemsBetweenFields } from './account-data.js';
import { payloadFormats } from './formats.js';
import { followImports, type ImportSession, type KnownImport } from './imports.js';
import { payloadChecks, problem } from './payload.js';

export interface DataImportOptions {
  /** The session that things can come into; undefined where there is none, as where a recording is replayed. */
  readonly session: (() => ImportSession) | undefined;
  readonly products: Products;
  readonly answers: Answers;
  /** Refuse fields that are not documented. */
  readonly strict: boolean;
}

/** Transactions that an account can be followed by: a household has so many ids for entries of its ledgers. */
const mostTransactions = 300;
/** Undocumented fields that a note in the event log names. */
const namedFields = 20;

/** What answers the operations below `data-import/`, by their ids in the document. */
export function dataImport({ session: given, products, answers, strict }: DataImportOptions) {
  const check = payloadChecks(payloadFormats(products));
  const session = (): ImportSession => {
    if (given !== undefined) return given();
    throw new ApiError(503, 'unavailable', 'This run takes nothing in: it is a recording.');
  };
  const imports = followImports(session);

  /** A body that is valid by its schema, for a supplier that takes imports, and by `more`. @throws ApiError */
  function accept<T extends { readonly import_supplier: string }>(
    schema: string,
    body: unknown,
    more: (body: Partial<T>) => readonly Problem[] = () => [],
  ): { readonly payload: T; readonly supplier: ImportSupplier } {
    const { problems, undocumented } = check(schema, body);
    const members = (typeof body === 'object' && body !== null ? body : {}) as Partial<T>;
    const supplier = imports().supplier(String(members.import_supplier));
    const all = new Map(problems.map((each) => [each.attr, each]));
    const others = [...aboutSupplier(supplier), ...more(members)];
    for (const each of others) if (!all.has(each.attr)) all.set(each.attr, each);
    if (strict) for (const attr of undocumented) all.set(attr, problem(attr, 'undocumented_field'));
    if (all.size > 0) throw invalidRequest([...all.values()], 'account_failed_validation');
    if (undocumented.length > 0) note(schema, undocumented);
    return { payload: members as T, supplier: supplier as ImportSupplier };
  }

  function note(schema: string, undocumented: readonly string[]): void {
    const named = undocumented.slice(0, namedFields).map((path) => JSON.stringify(path.slice(0, 200)));
    const rest = undocumented.length > namedFields ? ` and ${undocumented.length - namedFields} more` : '';
    const text = `Undocumented fields of a ${schema} were ignored: ${named.join(', ')}${rest}.`;
    session().events.add({ kind: 'note', about: 'data-import', text });
  }

  /** Takes it into the run: in the cell that its account has had so far, or in a new one. */
  function start(scenario: string, data: ImportInput | OrderInput, cell: number | undefined): void {
    const branches = { outcome: 'completed' };
    try {
      if (cell === undefined) session().start(scenario, { data, branches });
      else session().add({ kind: 'start', scenario, cell, data, branches } satisfies StartInput);
    } catch (error) {
      if (!(error instanceof BusbarError)) throw error;
      // The run is over, or full.
      throw new ApiError(503, 'unavailable', error.message);
    }
  }

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
    const digest = digestOf;
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
          found?.latest !== undefined && found.latest.digest !== digest(members) && hasBegun(found);
        const late = isLate
          ? [aboutNumber('account_import_process_already_imported', 'Its import has begun or is over.')]
          : [];
        return [...problemsBetweenFields(members, today), ...taken, ...late];
      },
    );
    const { found } = find(payload);
    const data = {
      step,
      supplier: supplier.code,
      external_number: payload.external_account_number,
      digest: digest(payload),
      documents: located(documentPaths(payload), supplier),
      account: importedAccount(payload, supplier.behaviours.customer_emails),
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
    data: { readonly step: 'notes' } | { readonly step: 'transactions'; readonly entries: Entries },
    documents: readonly string[],
  ) {
    const about = { supplier: import_supplier, external_number: external_account_number };
    const digest = digestOf(data);
    start(
      dataImportAccount.name,
      { ...data, ...about, digest, documents },
      imports().account(external_account_number)?.cell,
    );
    return accepted(import_supplier, external_account_number);
  }

  const importNotes: RequestHandler = (request, response) => {
    type Body = platformApi.ImportNotesRequest;
    const { payload, supplier } = accept<Body>('ImportNotesRequest', request.body, followable);
    const documents = located(documentPaths({ notes: payload.notes }), supplier);
    send(response, 202, follow(payload, { step: 'notes' }, documents));
  };

  const importTransactions: RequestHandler = (request, response) => {
    type Body = platformApi.ImportTransactionsRequest;
    const { payload } = accept<Body>('ImportTransactionsRequest', request.body, (members) => {
      const before = find(members).found?.transactions ?? 0;
      const coming = Array.isArray(members.transactions) ? members.transactions.length : 0;
      const detail = `An account can be followed by ${mostTransactions} transactions here.`;
      const tooMany = { detail, code: 'too_many', attr: 'transactions' };
      return [...followable(members), ...(before + coming > mostTransactions ? [tooMany] : [])];
    });
    const entries = payload.transactions.map(({ transaction_type, amount }) => ({
      kind: transaction_type.toLowerCase() as Lowercase<typeof transaction_type>,
      amount: pence(amount),
    }));
    send(response, 202, follow(payload, { step: 'transactions', entries }, []));
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
type Entries = Extract<ImportInput, { readonly step: 'transactions' }>['entries'];

/** What is wrong with an import supplier; a missing or empty code is found before. */
function aboutSupplier(supplier: ImportSupplier | undefined): Problem[] {
  const attr = 'import_supplier';
  if (supplier === undefined) {
    return [{ detail: 'Is not the code of an import supplier.', code: 'import_supplier_not_found', attr }];
  }
  if (supplier.status === 'Ongoing') return [];
  const detail = 'The import supplier is not Ongoing.';
  return [{ detail, code: 'import_supplier_migration_not_ongoing', attr }];
}

function aboutNumber(code: string, detail: string): Problem {
  return { detail, code, attr: 'external_account_number' };
}

function accepted(import_supplier: string, external_identifier: string): platformApi.ImportAccepted {
  return { import_supplier, external_identifier };
}

/** Bucket, root location and path (specification, document path fields, 2). */
function located(paths: readonly string[], { root_location }: ImportSupplier): string[] {
  return paths.map((path) => `${buckets.production}/${root_location}/${path}`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The same for bodies that say the same, in whatever order. */
function digestOf(body: unknown): string {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
