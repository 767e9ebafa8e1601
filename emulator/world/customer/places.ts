/** Fictional towns, each with its county. */
export const towns = [
  { town: 'Larkhaven', county: 'Marrowshire' },
  { town: 'Nether Wickby', county: 'Fenwold' },
  { town: 'Port Ashdown', county: 'Westmere' },
  { town: 'Cold Hallam', county: 'Marrowshire' },
  { town: 'Sandcombe', county: 'Westmere' },
  { town: 'Upper Brindle', county: 'Fenwold' },
] as const;

export const streets = [
  'Acorn Walk',
  'Beacon Hill',
  'Chapel Row',
  'Drift Lane',
  'Ferry Road',
  'Gasworks Lane',
  'Kiln Close',
  'Mill Street',
  'Orchard Way',
  'Station Road',
  'Tannery Yard',
  'Windmill Rise',
] as const;

export const localities = ['Brookside', 'Old Quay', 'The Maltings', 'Westfield'] as const;

export const buildings = ['Heron House', 'The Old Forge', 'Quayside Court', 'Larch Lodge'] as const;

/** Letters allowed in the second half of a postcode: all but C, I, K, M, O and V. */
export const inwardLetters = 'ABDEFGHJLNPQRSTUWXYZ';
