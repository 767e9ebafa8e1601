import { BusbarError, quoted } from 'busbar/base';
import type { Session } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers for import suppliers, which only the platform's operator can change, not `/v1/`. */
export function importSupplierOperations(session: Session) {
  const requireSupplier = (code: string) => {
    const supplier = session.suppliers().get(code);
    if (supplier !== undefined) return supplier;
    throw new BusbarError(
      'unknown-import-supplier',
      `Import supplier ${quoted(code)} does not exist. POST it to /emulator/v1/import-suppliers.`,
    );
  };
  return {
    listImportSuppliers: () => ({ import_suppliers: [...session.suppliers().values()] }),
    createImportSupplier({ body: { code, ...changes } }) {
      if (session.suppliers().has(code)) {
        throw new BusbarError('invalid-option', `Import supplier ${quoted(code)} already exists. PATCH it.`);
      }
      return session.setSupplier(code, changes);
    },
    getImportSupplier: ({ parameters: { code } }) => requireSupplier(code),
    changeImportSupplier: ({ parameters: { code }, body }) =>
      session.setSupplier(requireSupplier(code).code, body),
  } satisfies Partial<ControlHandlers>;
}
