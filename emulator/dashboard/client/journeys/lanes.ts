import type { CatalogueEvent } from 'busbar/catalogue';

/** A topic of a customer's events, e.g. billing. */
export interface Lane {
  readonly name: string;
  readonly hue: number;
}

/** Lanes by event type. Leaving and joining share a domain, so types decide first. */
const byType: readonly (readonly [pattern: RegExp, lane: Lane])[] = [
  [/leave-supplier|change_of_supply\.loss|cos_loss/, { name: 'Leave', hue: 25 }],
  [/^lifecycle\.status-changed$/, { name: 'Status', hue: 345 }],
  [/join[-_]supplier|change_of_supply\.gain|cos_gain/, { name: 'Join', hue: 150 }],
];

/** Lanes by group of the catalogue. */
const byGroup: Readonly<Record<string, Lane>> = {
  billing: { name: 'Billing', hue: 265 },
  communications: { name: 'Contact', hue: 215 },
  'accounts-and-users': { name: 'Account', hue: 85 },
  'agreements-and-approvals': { name: 'Agreement', hue: 185 },
  'contracts-and-sales': { name: 'Contract', hue: 315 },
  'debt-and-collections': { name: 'Debt', hue: 50 },
  'data-import': { name: 'Import', hue: 240 },
  'industry-and-meter-points': { name: 'Meters', hue: 120 },
  'leaving-supply': { name: 'Leave', hue: 25 },
  'joining-supply': { name: 'Join', hue: 150 },
};

const order = [
  'Leave',
  'Join',
  'Status',
  'Agreement',
  'Meters',
  'Account',
  'Billing',
  'Debt',
  'Contact',
  'Contract',
  'Import',
];

export function laneOf(type: string, event: CatalogueEvent | undefined): Lane {
  const named = byType.find(([pattern]) => pattern.test(type));
  if (named !== undefined) return named[1];
  return byGroup[event?.group ?? ''] ?? other;
}

const other: Lane = { name: 'Other', hue: 0 };

/** Sorts lanes in the fixed order. */
export function sortLanes(lanes: Iterable<Lane>): Lane[] {
  const rank = ({ name }: Lane) => (order.includes(name) ? order.indexOf(name) : order.length);
  const byName = new Map(Array.from(lanes, (lane) => [lane.name, lane]));
  return [...byName.values()].sort((one, two) => rank(one) - rank(two));
}
