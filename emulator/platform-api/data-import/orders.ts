import type { platformApi } from 'busbar/catalogue';
import { dataImportOrder } from '../../scenarios/import/data-import-order.js';
import type { PlatformHandler } from '../document.js';
import type { Intake } from './accept-import.js';
import { accepted } from './processes.js';
import { digestOf } from './references.js';

/** Returns the handler that accepts each order once. */
export function orderImports({ imports, accept, start }: Intake) {
  const importOrder: PlatformHandler<'importOrder'> = ({ body }) => {
    type Body = platformApi.ImportOrderRequest;
    const { payload } = accept<Body>('ImportOrderRequest', body, (members) => {
      const before = imports().order(String(members.external_order_id));
      const isSame = before?.supplier === members.import_supplier && before?.digest === digestOf(members);
      if (before === undefined || isSame) return [];
      const detail = 'Another order with this id was sent before.';
      return [{ detail, code: 'order_already_imported', attr: 'external_order_id' }];
    });
    const { import_supplier: supplier, external_order_id } = payload;
    if (imports().order(external_order_id) === undefined) {
      start(dataImportOrder.name, { supplier, external_order_id, digest: digestOf(payload) }, undefined);
    }
    return accepted(supplier, external_order_id);
  };

  return { importOrder };
}
