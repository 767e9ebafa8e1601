import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Cell, Property, SupplyPoint } from '../cell.js';
import { cellState } from '../cell-state.js';
import { occurrence } from '../occurrence.js';
import { exportProducts, exportTechnologies, netCapacities } from '../vocabulary/supply.js';

/** What a home feeds back, under an MPAN of its own that agreements can be about. */
export interface ExportInstallation {
  readonly supplyPoint: SupplyPoint;
  readonly product: string;
}

/** The home's installation, if it has one. */
export function exportInstallationAt(cell: Cell, property: Property): ExportInstallation | undefined {
  return installations.of(cell).get(property);
}

/** The papers of an installation are in order: the home can be paid for what it feeds back. Keyed by account. */
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
