export const funnels = { EV_CHARGER: 0.35, HEAT_PUMP: 0.2, SOLAR: 0.25, BUSINESS_ENERGY: 0.2 } as const;

/** Processes that need approval. */
export const approvalProcesses = { REFUND: 0.5, CREDIT: 0.25, WRITE_OFF: 0.15, PRICE_OVERRIDE: 0.1 } as const;

export const approvalReasons = [
  'The evidence is complete.',
  'Within the limit of the team.',
  'Agreed with the customer on the telephone.',
  'Follows from an upheld complaint.',
  'Corrects a mistake of ours.',
] as const;

export const rejectionReasons = [
  'The evidence is not enough.',
  'Above the limit of the team.',
  'The account has an open dispute.',
  'Asked for twice.',
  'The balance has changed since.',
] as const;
