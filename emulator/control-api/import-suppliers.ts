import type { Request, Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { SupplierChanges, SupplierStatus } from '../run/import-supplier.js';
import type { Session } from '../run/session.js';
import { read, readBody, required } from './read.js';
import { resource } from './resource.js';

/** `/import-suppliers`: what the platform's operator sets, and nobody can under `/v1/`. */
export function importSuppliersResource(router: Router, session: Session): void {
  const known = (request: Request) => {
    const code = String(request.params.code);
    const supplier = session.suppliers().get(code);
    if (supplier !== undefined) return supplier;
    throw new BusbarError(
      'unknown-import-supplier',
      `There is no import supplier ${quoted(code)}: POST it to /emulator/v1/import-suppliers.`,
    );
  };
  resource(router, '/import-suppliers', {
    get: () => ({ body: { import_suppliers: [...session.suppliers().values()] } }),
    post(request) {
      const { code: given, ...changes } = readBody(request, { code: 'text', ...members });
      const code = required('code', given);
      if (session.suppliers().has(code)) {
        throw new BusbarError(
          'invalid-option',
          `There is an import supplier ${quoted(code)} already: PATCH it.`,
        );
      }
      return { status: 201, body: session.setSupplier(code, changesIn(changes)) };
    },
  });
  resource(router, '/import-suppliers/:code', {
    get: (request) => ({ body: known(request) }),
    patch(request) {
      const { code } = known(request);
      return { body: session.setSupplier(code, changesIn(readBody(request, members))) };
    },
  });
}

const members = { status: 'text', root_location: 'text', behaviours: 'object' } as const;

function changesIn({
  status,
  root_location,
  behaviours,
}: {
  readonly status?: string;
  readonly root_location?: string;
  readonly behaviours?: unknown;
}): SupplierChanges {
  return {
    // It is looked at where suppliers are made.
    ...(status !== undefined && { status: status as SupplierStatus }),
    ...(root_location !== undefined && { root_location }),
    ...(behaviours !== undefined && { behaviours: read(behaviours, { customer_emails: 'flag' }) }),
  };
}
