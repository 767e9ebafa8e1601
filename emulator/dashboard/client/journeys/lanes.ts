import type { CatalogueEvent } from 'busbar/catalogue';

/** A topic of a customer's events, e.g. billing. */
export interface Lane {
  readonly name: string;
  readonly hue: number;
  /** Group of the catalogue. */
  readonly group?: string;
  /** Types of any group. Leaving and joining share a domain. */
  readonly types?: RegExp;
}

const other: Lane = { name: 'Other', hue: 0 };

/** Lanes in the order of the chart. */
const lanes: readonly Lane[] = [
  {
    name: 'Leave',
    hue: 25,
    group: 'leaving-supply',
    types: /leave-supplier|change_of_supply\.loss|cos_loss/,
  },
  {
    name: 'Join',
    hue: 150,
    group: 'joining-supply',
    types: /join[-_]supplier|change_of_supply\.gain|cos_gain/,
  },
  { name: 'Status', hue: 345, types: /^lifecycle\.status-changed$/ },
  { name: 'Agreement', hue: 185, group: 'agreements-and-approvals' },
  { name: 'Meters', hue: 120, group: 'industry-and-meter-points' },
  { name: 'Account', hue: 85, group: 'accounts-and-users' },
  { name: 'Billing', hue: 265, group: 'billing' },
  { name: 'Debt', hue: 50, group: 'debt-and-collections' },
  { name: 'Contact', hue: 215, group: 'communications' },
  { name: 'Contract', hue: 315, group: 'contracts-and-sales' },
  { name: 'Import', hue: 240, group: 'data-import' },
  other,
];

export function laneOf(type: string, event: CatalogueEvent | undefined): Lane {
  return (
    lanes.find(({ types }) => types?.test(type)) ??
    lanes.find(({ group }) => group !== undefined && group === event?.group) ??
    other
  );
}

/** Returns the distinct lanes in the order of the chart. */
export function sortLanes(some: readonly Lane[]): Lane[] {
  return lanes.filter((lane) => some.includes(lane));
}
