export const companyNames = [
  'Lantern Row Bakery',
  'Port Ashdown Joinery',
  'Nether Wickby Dairy',
  'Larkhaven Print Works',
  'Garrow and Quill Books',
  'Kestrel Cold Storage',
  'Tamblyn Marine',
  'Wickham Lane Garage',
] as const;

export const companyForms = { Ltd: 0.8, LLP: 0.12, plc: 0.08 } as const;

/** Registered address of the platform's own companies. */
export const legalAddress = {
  line1: '1 Busbar Yard',
  line2: '',
  town: 'Larkhaven',
  postcode: 'XC1 1AA',
} as const;
