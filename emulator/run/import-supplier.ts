export const supplierStatuses = ['Ongoing', 'Paused', 'Complete'] as const;

/** Only `Ongoing` takes imports; the difference between the other two is what people mean by them. */
export type SupplierStatus = (typeof supplierStatuses)[number];

/** Under which migrated accounts are grouped: "Import supplier" of the REST specification. */
export interface ImportSupplier {
  readonly code: string;
  readonly status: SupplierStatus;
  /** The path under which referenced documents are stored, without a slash at either end. */
  readonly root_location: string;
  readonly behaviours: SupplierBehaviours;
}

export interface SupplierBehaviours {
  /** Whether customers get an e-mail when they are migrated. */
  readonly customer_emails: boolean;
}

/** What of a supplier is given; the rest stays, or is the default. */
export interface SupplierChanges {
  readonly status?: SupplierStatus;
  readonly root_location?: string;
  readonly behaviours?: Partial<SupplierBehaviours>;
}
