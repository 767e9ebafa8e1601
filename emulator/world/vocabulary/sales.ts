export const funnels = { EV_CHARGER: 0.35, HEAT_PUMP: 0.2, SOLAR: 0.25, BUSINESS_ENERGY: 0.2 } as const;

export const stages = {
  NEW: 0.3,
  CONTACTED: 0.25,
  QUALIFIED: 0.2,
  QUOTED: 0.15,
  WON: 0.06,
  LOST: 0.04,
} as const;

export const attachmentCategories = ['LEAD_FILE'] as const;

/** What needs a second pair of eyes, with the amount in pence that it can be about. */
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
