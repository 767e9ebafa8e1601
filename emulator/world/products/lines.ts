/** A line of products; one replaces the other. Omitted properties are false or absent. */
export interface Line {
  /** Name of a product, with `#` for the brand. */
  readonly name: string;
  readonly description: string;
  readonly price: PriceKind;
  /** Fixed term in months. */
  readonly term?: number;
  /** First days of sale. Default: a day of every month. */
  readonly launches?: readonly string[];
  /** The line that its customers had before the first launch. Default `VAR`. */
  readonly before?: 'OUTGOING-FIX';
  /** Whether it has gas tariffs. */
  readonly gas?: true;
  /** Whether it has tariffs for meters with two registers. */
  readonly twoRegisters?: true;
  readonly is?: readonly (
    | 'export'
    | 'variable'
    | 'green'
    | 'tracker'
    | 'prepay'
    | 'business'
    | 'restricted'
  )[];
}

/** A kind of change of the rates over time. */
type PriceKind = 'quarterly' | 'fixed' | 'two-rate' | 'daily' | 'half-hourly';

export type LineCode = keyof typeof lineTable;

/** The lines of both brands. Those sold since 2005 serve the first customers of the others. */
const lineTable = {
  VAR: {
    name: 'Flexible #',
    description: 'Prices that follow the cost of energy, at most once a quarter.',
    price: 'quarterly',
    launches: ['05-10-01', '14-04-01', '19-01-01', '22-11-01'],
    gas: true,
    twoRegisters: true,
    is: ['variable'],
  },
  'FIX-12M': {
    name: 'Fixed # 12 Months',
    description: 'One price for a year.',
    price: 'fixed',
    term: 12,
    gas: true,
    twoRegisters: true,
    is: ['green'],
  },
  'FIX-24M': {
    name: 'Fixed # 24 Months',
    description: 'One price for two years.',
    price: 'fixed',
    term: 24,
    gas: true,
    twoRegisters: true,
  },
  'PREPAY-VAR': {
    name: 'Prepaid #',
    description: 'For meters that are paid in advance.',
    price: 'quarterly',
    launches: ['05-10-01', '13-02-18', '18-09-21'],
    gas: true,
    twoRegisters: true,
    is: ['variable', 'prepay'],
  },
  AGILE: {
    name: 'Half-Hourly #',
    description: 'A price for every half-hour, published the day before. It may be negative.',
    price: 'half-hourly',
    launches: ['18-02-13', '24-10-01'],
    is: ['variable', 'green'],
  },
  SILVER: {
    name: 'Daily #',
    description: 'A price a day, which tracks the market.',
    price: 'daily',
    launches: ['17-06-08', '25-04-11'],
    gas: true,
    is: ['variable', 'green', 'tracker'],
  },
  'GO-VAR': {
    name: 'Night #',
    description: 'Five hours of cheap energy every night, for customers who charge a car.',
    price: 'two-rate',
    launches: ['18-06-19', '22-10-14'],
    is: ['variable', 'green', 'restricted'],
  },
  'BUS-FLEX': {
    name: 'Flexible Business #',
    description: 'Prices that follow the cost of energy, at most once a quarter, for businesses.',
    price: 'quarterly',
    launches: ['05-10-01', '16-10-03', '25-10-01'],
    gas: true,
    is: ['variable', 'business'],
  },
  'BUS-12M-FIXED': {
    name: 'Fixed Business # 12 Months',
    description: 'One price for a year, for businesses.',
    price: 'fixed',
    term: 12,
    gas: true,
    is: ['business'],
  },
  'BUS-24M-FIXED': {
    name: 'Fixed Business # 24 Months',
    description: 'One price for two years, for businesses.',
    price: 'fixed',
    term: 24,
    gas: true,
    is: ['business', 'green'],
  },
  OUTGOING: {
    name: 'Outgoing #',
    description: 'What a home feeds back, at a price for every half-hour.',
    price: 'half-hourly',
    launches: ['19-05-13'],
    before: 'OUTGOING-FIX',
    is: ['export', 'variable', 'green'],
  },
  'OUTGOING-FIX': {
    name: 'Fixed Outgoing #',
    description: 'What a home feeds back, at one price.',
    price: 'quarterly',
    launches: ['05-10-01', '24-10-26'],
    is: ['export', 'green'],
  },
} as const satisfies Readonly<Record<string, Line>>;

export const lines: Readonly<Record<LineCode, Line>> = lineTable;
