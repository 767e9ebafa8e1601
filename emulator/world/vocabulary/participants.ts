/**
 * Market participants, all fictional: an electricity supplier has four characters, its gas business three letters.
 */
export const ourself = { electricity: 'EMUL', gas: 'EMU', shipper: 'EMS' } as const;

export const otherSuppliers = [
  { electricity: 'TENT', gas: 'TEN' },
  { electricity: 'OLDS', gas: 'OLD' },
  { electricity: 'NOVA', gas: 'NOV' },
] as const;
/** Another supplier: where a supply point came from, or goes to. */
export type OtherSupplier = (typeof otherSuppliers)[number];

/** Meter asset managers: who looks after gas meters. */
export const meterAssetManagers = ['MAA', 'MAB', 'MAC'] as const;
export type MeterAssetManager = (typeof meterAssetManagers)[number];

/** Who speaks for a supplier about readings: a desk, never a person. */
export const disputeContact = 'Disputed Reads Team';
