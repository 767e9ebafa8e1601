import type { CatalogueEvent } from '../../../../catalogue/event-index.js';

/** A strand of what happens to a customer. */
export interface Lane {
  readonly name: string;
  readonly hue: number;
}

/** By words of the event type; leaving and joining share a domain. */
const byType: readonly (readonly [pattern: RegExp, lane: Lane])[] = [
  [/leave-supplier|change_of_supply\.loss|cos_loss/, { name: 'Leave', hue: 25 }],
  [/^lifecycle\.status-changed$/, { name: 'Status', hue: 345 }],
  [/join[-_]supplier|change_of_supply\.gain|cos_gain/, { name: 'Join', hue: 150 }],
];

/** Otherwise by the section of the catalogue. */
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

/** In the order of a life with a supplier. */
export function sortLanes(lanes: Iterable<Lane>): Lane[] {
  const place = ({ name }: Lane) => (order.includes(name) ? order.indexOf(name) : order.length);
  const byName = new Map(Array.from(lanes, (lane) => [lane.name, lane]));
  return [...byName.values()].sort((one, two) => place(one) - place(two));
}
