export const supplierStatuses = ['Ongoing', 'Paused', 'Complete'] as const;

/** Status of an import supplier. Only an `Ongoing` supplier accepts imports. `Paused` and `Complete` behave alike. */
export type SupplierStatus = (typeof supplierStatuses)[number];

/** A group of migrated accounts: "Import supplier" of the REST specification. */
export interface ImportSupplier {
  /** Code that identifies the supplier. */
  readonly code: string;
  readonly status: SupplierStatus;
  /** Path of referenced documents, without a slash at either end. */
  readonly root_location: string;
  readonly behaviours: SupplierBehaviours;
}

/** Effects of migrations. */
export interface SupplierBehaviours {
  /** Whether migrated customers get an e-mail. Default true. */
  readonly customer_emails: boolean;
}

/** Changes of an import supplier. Members left out keep their value or default. */
export interface SupplierChanges {
  readonly status?: SupplierStatus;
  readonly root_location?: string;
  readonly behaviours?: Partial<SupplierBehaviours>;
}
