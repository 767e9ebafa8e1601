import type { Session } from '../../run/session.js';
import { BusbarError, type Logger } from 'busbar/base';
import type { ImportSupplier } from '../../run/import-supplier.js';
import type { StartInput } from '../../run/inputs.js';
import type { OrderInput } from '../../scenarios/import/data-import-order.js';
import type { ImportInput } from '../../scenarios/import/import-input.js';
import { ApiError, invalidRequest, type Problem } from '../api-error.js';
import { followImports } from './imports.js';
import { payloadChecks, problem } from './payload.js';

export interface IntakeOptions {
  /** The session that receives imports; undefined in a replay. */
  readonly session: (() => Session) | undefined;
  /** Whether to refuse undocumented fields. */
  readonly strict: boolean;
  readonly logger: Logger;
}

export type Intake = ReturnType<typeof acceptImport>;

/** Returns functions that validate import bodies and pass them to the run. */
export function acceptImport({ session: openSession, strict, logger }: IntakeOptions) {
  const check = payloadChecks();
  const session = (): Session => {
    if (openSession !== undefined) return openSession();
    throw new ApiError(503, 'unavailable', 'This run is a recording and accepts no input.');
  };
  const imports = followImports(session);

  /** Validates a body by its schema, its import supplier and `more`. @throws ApiError */
  function accept<T extends { readonly import_supplier: string }>(
    schema: string,
    body: unknown,
    more: (body: Partial<T>) => readonly Problem[] = () => [],
  ): { readonly payload: T; readonly supplier: ImportSupplier } {
    const { problems, undocumented } = check(schema, body);
    const members = (typeof body === 'object' && body !== null ? body : {}) as Partial<T>;
    const all = new Map(problems.map((each) => [each.attr, each]));
    // A body that isn't an object, or is far too large, is not checked further.
    const isUncheckable = problems.some(({ attr }) => attr === '');
    const supplier = isUncheckable ? undefined : imports().supplier(String(members.import_supplier));
    const others = isUncheckable ? [] : [...problemsOfSupplier(supplier), ...more(members)];
    for (const each of others) if (!all.has(each.attr)) all.set(each.attr, each);
    if (strict) for (const attr of undocumented) all.set(attr, problem(attr, 'undocumented_field'));
    if (all.size > 0) throw invalidRequest([...all.values()], 'account_failed_validation');
    if (undocumented.length > 0) {
      const fix = 'See their names with --api strict-requests.';
      logger.warn('undocumented fields ignored', { schema, fields: undocumented.length, fix });
    }
    return { payload: members as T, supplier: supplier as ImportSupplier };
  }

  /** Starts the scenario in the cell of its account, or in a new one. */
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

/** Returns the problems of an import supplier, except a missing or empty code, which the schema reports. */
function problemsOfSupplier(supplier: ImportSupplier | undefined): Problem[] {
  const attr = 'import_supplier';
  if (supplier === undefined) {
    return [{ detail: 'Is not the code of an import supplier.', code: 'import_supplier_not_found', attr }];
  }
  if (supplier.status === 'Ongoing') return [];
  const detail = 'The import supplier is not Ongoing.';
  return [{ detail, code: 'import_supplier_migration_not_ongoing', attr }];
}
