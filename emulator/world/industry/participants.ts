/** Our market participant codes. All codes are fictional: four characters for electricity, three letters for gas. */
export const ownSupplier = { electricity: 'EMUL', gas: 'EMU', shipper: 'EMS' } as const;

export const otherSuppliers = [
  { electricity: 'KELV', gas: 'KEL' },
  { electricity: 'ORLA', gas: 'ORL' },
  { electricity: 'NOVA', gas: 'NOV' },
] as const;
/** The supplier at the other end of a change of supplier. */
export type OtherSupplier = (typeof otherSuppliers)[number];

/** Codes of meter asset managers (MAMs), which maintain gas meters. */
export const meterAssetManagers = ['MAA', 'MAB', 'MAC'] as const;
export type MeterAssetManager = (typeof meterAssetManagers)[number];

/** A supplier's contact for disputed readings: a team, never a person. */
export const disputeContact = 'Disputed Reads Team';
