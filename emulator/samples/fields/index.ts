import type { Rule, Scene } from '../subject.js';
import { accounts } from './accounts.js';
import type { Area, Rules } from './area.js';
import { auth } from './auth.js';
import { billing } from './billing.js';
import { contact } from './contact.js';
import { contracts } from './contracts.js';
import { debt } from './debt.js';
import { flex } from './flex.js';
import { gas } from './gas.js';
import { imports } from './imports.js';
import { meters } from './meters.js';
import { periods } from './periods.js';
import { sales } from './sales.js';
import { supply } from './supply.js';

/** Where a field stands in the payload of an event. */
export interface Place {
  readonly eventType: string;
  /** Name of the shape that it is in, if it is in one. */
  readonly shape: string | undefined;
  /** Names of the fields that lead to it, itself the last. */
  readonly names: readonly string[];
}

/** What the field holds by what we know of the platform; undefined for one that we have never heard of. */
export function ruleFor({ eventType, shape, names }: Place): Rule | undefined {
  const name = names.at(-1) ?? '';
  if (names.length === 1) {
    const rule = eventRules(eventType)[name];
    if (rule !== undefined) return rule;
  }
  const parent = names.at(-2);
  return inside.get(parent)?.[name] ?? shapes.get(shape)?.[name] ?? fields.get(name);
}

/** How many objects the list has. */
export function countFor(name: string): (scene: Scene) => number {
  return counts.get(name) ?? (({ random }) => random.integer(1, 2));
}

const areas: readonly Area[] = [
  accounts,
  auth,
  supply,
  gas,
  meters,
  billing,
  debt,
  contact,
  contracts,
  periods,
  sales,
  imports,
  flex,
];

const fields = new Map(areas.flatMap(({ fields = {} }) => Object.entries(fields)));
const shapes = new Map<string | undefined, Rules>(areas.flatMap(({ shapes = {} }) => Object.entries(shapes)));
const inside = new Map<string | undefined, Rules>(areas.flatMap(({ inside = {} }) => Object.entries(inside)));
const events = areas.flatMap(({ events = {} }) => Object.entries(events));
const counts = new Map(areas.flatMap(({ counts = {} }) => Object.entries(counts)));
const byEvent = new Map<string, Rules>();

/** What several areas say about an event, the more exact names last. */
function eventRules(eventType: string): Rules {
  let rules = byEvent.get(eventType);
  if (rules === undefined) {
    const matching = events
      .filter(([name]) => (name.endsWith('*') ? eventType.startsWith(name.slice(0, -1)) : name === eventType))
      .sort(([a], [b]) => a.length - b.length);
    rules = Object.assign({}, ...matching.map(([, each]) => each)) as Rules;
    byEvent.set(eventType, rules);
  }
  return rules;
}
