import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import type { ImportSupplier } from '../../run/import-supplier.js';
import type { StartInput } from '../../run/inputs.js';
import type { OrderInput } from '../../scenarios/import/data-import-order.js';
import type { ImportInput } from '../../scenarios/import/import-input.js';
import { ApiError, invalidRequest, type Problem } from '../api-error.js';
import type { Products } from '../products.js';
import { payloadFormats } from './formats.js';
import { followImports, type ImportSession } from './imports.js';
import { payloadChecks, problem } from './payload.js';

export interface IntakeOptions {
  /** The session that things can come into; undefined where there is none, as where a recording is replayed. */
  readonly session: (() => ImportSession) | undefined;
  readonly products: () => Products;
  /** Refuse fields that are not documented. */
  readonly strict: boolean;
}

/** Undocumented fields that a note in the event log names. */
const namedFields = 20;

/** What is done with every body that comes in: it is checked, and taken into the run. */
export function intake({ session: given, products, strict }: IntakeOptions) {
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
    const all = new Map(problems.map((each) => [each.attr, each]));
    // What is no object, or far too much, is not looked into.
    const isHopeless = problems.some(({ attr }) => attr === '');
    const supplier = isHopeless ? undefined : imports().supplier(String(members.import_supplier));
    const others = isHopeless ? [] : [...aboutSupplier(supplier), ...more(members)];
    for (const each of others) if (!all.has(each.attr)) all.set(each.attr, each);
    if (strict) for (const attr of undocumented) all.set(attr, problem(attr, 'undocumented_field'));
    if (all.size > 0) throw invalidRequest([...all.values()], 'account_failed_validation');
    if (undocumented.length > 0) note(schema, undocumented);
    return { payload: members as T, supplier: supplier as ImportSupplier };
  }

  function note(schema: string, undocumented: readonly string[]): void {
    const named = undocumented.slice(0, namedFields).map((path) => JSON.stringify(path.slice(0, 200)));
    const rest = undocumented.length > namedFields ? ` and ${undocumented.length - namedFields} more` : '';
    const text = `Undocumented fields of ${quoted(schema)} were ignored: ${named.join(', ')}${rest}.`;
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

  return { session, imports, accept, start };
}

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
