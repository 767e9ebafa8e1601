import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Cell, Property, SupplyPoint } from '../cell.js';
import { cellState } from '../cell-state.js';
import { occurrence } from '../occurrence.js';
import { exportProducts, exportTechnologies, netCapacities } from '../vocabulary/supply.js';

/** A home's export of energy, with its own MPAN. */
interface ExportInstallation {
  readonly supplyPoint: SupplyPoint;
  readonly product: string;
}

/** Returns the home's installation, or undefined if it has none. */
export function exportInstallationAt(cell: Cell, property: Property): ExportInstallation | undefined {
  return installations.of(cell).get(property);
}

/** Validates an installation, so that the home can be paid for its exports. Key: account number. */
export function validateInstallation(
  cell: Cell,
  account: Account,
  property: Property,
  { importPoint, random }: { readonly importPoint: SupplyPoint; readonly random: RandomStream },
): { installation: ExportInstallation; validated: Occurrence } {
  const supplyPoint: SupplyPoint = {
    id: cell.ids.integer('supply point'),
    market: 'GBR_ELECTRICITY',
    identifier: cell.identifiers.exportMpan(cell.index, cell.properties.indexOf(property)),
  };
  const installation = { supplyPoint, product: random.weighted(exportProducts) };
  installations.of(cell).set(property, installation);
  const technology = random.weighted(exportTechnologies);
  const capacity = random.weighted(netCapacities);
  const v1 = {
    import_mpan: importPoint.identifier,
    account_number: account.number,
    product_code: installation.product,
    manual_declared_net_capacity: capacity,
    manual_technology_type: technology,
    valid_mcs_installations: [
      {
        certificate_number: `MCS-${cell.ids.integer('certificate')}`,
        technology_type: technology,
        declared_net_capacity: capacity,
      },
    ],
    journey_identifier: cell.ids.uuid('export journey'),
  };
  const validated = occurrence('industry.electricity.export_installation.validated', account.number, {
    v1,
    v2: { ...v1, export_mpan: supplyPoint.identifier },
  });
  return { installation, validated };
}

const installations = cellState<Map<Property, ExportInstallation>>(() => new Map());
