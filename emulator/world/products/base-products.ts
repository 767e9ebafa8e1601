import type { PriceKind } from './unit-rates.js';

/** A product of the list below; omitted properties are false or null. */
export interface BaseProduct {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** The kind of change of its unit rate over time. */
  readonly price: PriceKind;
  readonly from: string;
  readonly to?: string;
  readonly term?: number;
  readonly brand?: string;
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

/** The products of events, and at least one of each kind. */
export const baseProducts: readonly BaseProduct[] = [
  {
    code: 'VAR-22-11-01',
    name: 'Flexible Lantern',
    description: 'Prices that follow the cost of energy, at most once a quarter.',
    price: 'quarterly',
    from: '2022-11-01',
    is: ['variable'],
  },
  {
    code: 'AGILE-24-10-01',
    name: 'Half-Hourly Lantern',
    description: 'A price for every half-hour, published the day before. It may be negative.',
    price: 'half-hourly',
    from: '2024-10-01',
    is: ['variable', 'green'],
  },
  {
    code: 'SILVER-25-04-11',
    name: 'Daily Lantern',
    description: 'A price a day, which tracks the market.',
    price: 'daily',
    from: '2025-04-11',
    is: ['variable', 'green', 'tracker'],
  },
  {
    code: 'GO-VAR-22-10-14',
    name: 'Night Lantern',
    description: 'Five hours of cheap energy every night, for customers who charge a car.',
    price: 'two-rate',
    from: '2022-10-14',
    is: ['variable', 'green'],
  },
  {
    code: 'FIX-12M-26-01-14',
    name: 'Fixed Lantern 12 Months January 2026',
    description: 'One price for a year.',
    price: 'fixed',
    from: '2026-01-14',
    term: 12,
    is: ['green'],
  },
  {
    code: 'FIX-12M-25-03-19',
    name: 'Fixed Lantern 12 Months March 2025',
    description: 'One price for a year.',
    price: 'fixed',
    from: '2025-03-19',
    to: '2025-05-02',
    term: 12,
    is: ['green'],
  },
  {
    code: 'PREPAY-VAR-18-09-21',
    name: 'Prepaid Lantern',
    description: 'For meters that are paid in advance.',
    price: 'quarterly',
    from: '2018-09-21',
    is: ['variable', 'prepay'],
  },
  {
    code: 'BUS-12M-FIXED-26-04-01',
    name: 'Fixed Business Lantern 12 Months',
    description: 'One price for a year, for businesses.',
    price: 'fixed',
    from: '2026-04-01',
    term: 12,
    is: ['business'],
  },
  {
    code: 'BUS-FLEX-25-10-01',
    name: 'Flexible Business Lantern',
    description: 'Prices that follow the cost of energy, at most once a quarter, for businesses.',
    price: 'quarterly',
    from: '2025-10-01',
    is: ['variable', 'business'],
  },
  {
    code: 'OUTGOING-19-05-13',
    name: 'Outgoing Lantern',
    description: 'What a home feeds back, at a price for every half-hour.',
    price: 'half-hourly',
    from: '2019-05-13',
    is: ['export', 'variable', 'green'],
  },
  {
    code: 'OUTGOING-FIX-24-10-26',
    name: 'Fixed Outgoing Lantern',
    description: 'What a home feeds back, at one price.',
    price: 'fixed',
    from: '2024-10-26',
    is: ['export', 'green'],
  },
  {
    code: 'HARBOUR-VAR-23-07-01',
    name: 'Harbour Variable',
    description: 'Prices that follow the cost of energy, under another brand.',
    price: 'quarterly',
    from: '2023-07-01',
    brand: 'HARBOUR_POWER',
    is: ['variable', 'restricted'],
  },
];
