import { BusbarError, quoted } from 'busbar/base';
import type { Instant } from '../engine/time.js';
import { type ImportSupplier, type SupplierChanges, supplierStatuses } from './import-supplier.js';
import type { Input } from './inputs.js';

/** Returns the import suppliers at a virtual instant, from the log of inputs. */
export function importSuppliers(
  log: readonly Input[],
  at: Instant = Infinity,
): ReadonlyMap<string, ImportSupplier> {
  const suppliers = new Map<string, ImportSupplier>();
  for (const input of log) {
    if (input.kind === 'import-supplier' && input.at <= at)
      suppliers.set(input.supplier.code, input.supplier);
  }
  return suppliers;
}

/** Returns a new or existing supplier with changes. @throws BusbarError `invalid-option` */
export function changedSupplier(
  code: string,
  { status, root_location, behaviours }: SupplierChanges,
  before: ImportSupplier = {
    code,
    status: 'Ongoing',
    root_location: `import/${code}`,
    behaviours: { customer_emails: true },
  },
): ImportSupplier {
  if (!/^[A-Za-z\d][\w.-]{0,63}$/.test(code)) {
    throw invalid('code', 'at most 64 letters, digits, ".", "-" and "_", the first a letter or digit');
  }
  if (status !== undefined && !supplierStatuses.includes(status)) {
    throw invalid('status', `one of ${supplierStatuses.map(quoted).join(', ')}`);
  }
  if (root_location !== undefined && !isRootLocation(root_location)) {
    throw invalid('root_location', 'a path without a slash at either end and without ".."');
  }
  return {
    code,
    status: status ?? before.status,
    root_location: root_location ?? before.root_location,
    behaviours: { customer_emails: behaviours?.customer_emails ?? before.behaviours.customer_emails },
  };
}

function isRootLocation(path: string): boolean {
  const parts = path.split('/');
  return path.length <= 500 && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function invalid(member: string, expected: string): BusbarError {
  return new BusbarError('invalid-option', `"${member}" of an import supplier must be ${expected}.`);
}
