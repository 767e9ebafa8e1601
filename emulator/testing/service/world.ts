import { BusbarError, grouped, quoted } from 'busbar/base';
import { type Catalogue, type Documents, requireEvent } from 'busbar/catalogue';
import type { PlanOptions } from '../../run/plan.js';
import { loadScenarios } from '../../run/load-scenario.js';
import { sourceOf } from '../../samples/played.js';
import { playSequence } from '../verify/event-sequence.js';
import { type Delivery, payloadOf } from '../verify/delivery.js';
import { type OwnerOf, ownerByIdentifiers } from '../verify/households.js';
import type { ServiceContract } from './contract.js';

/** The households whose events the service receives. Each plays one scenario, and has identifiers of its own. */
export interface ServiceWorld {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly plan: PlanOptions;
  /** Time after the last event. */
  readonly end: number;
  /** Deliveries of each household in the order of sending, by cell. */
  readonly households: ReadonlyMap<number, readonly Delivery[]>;
  /** Those of all households, one household after the other. */
  readonly deliveries: readonly Delivery[];
  readonly ownerOf: OwnerOf;
  /** Whether the service handles an event, by its catalogue name. */
  readonly handles: (name: string) => boolean;
  /** Handled events that some household receives. */
  readonly exercised: readonly string[];
  readonly branches: readonly string[];
}

/** Households for each handled event: a process meets a household once. */
const householdsPerEvent = 12;
const minHouseholds = 48;

/** Plays the scenarios of a contract. @throws BusbarError `unknown-scenario`, `unknown-event`, `invalid-option` */
export async function openWorld(
  { events, scenarios: named, seed = 1 }: ServiceContract,
  catalogue: Catalogue,
): Promise<ServiceWorld> {
  const names = named ?? scenariosThatSend(catalogue, events ?? []);
  const scenario = await loadScenarios(names);
  const households = Math.max(minHouseholds, householdsPerEvent * (events?.length ?? 0));
  const plan = { scenario, seed, instances: Math.max(10, Math.ceil(households / scenario.length)) };
  const { deliveries, branches } = await playSequence('', plan, catalogue);
  const byCell = grouped(deliveries, ({ sent }) => sent.cell);
  const handled = new Set(events);
  const handles = (name: string) => events === undefined || handled.has(name);
  return {
    catalogue,
    documents: await catalogue.documents(),
    plan,
    end: deliveries.at(-1)?.sent.at ?? 0,
    households: byCell,
    deliveries: [...byCell.values()].flat(),
    ownerOf: ownerByIdentifiers(
      deliveries.map(({ sent }) => ({
        cell: sent.cell,
        content: [sent.id, sent.headers, sent.key, payloadOf(sent)],
      })),
    ),
    handles,
    exercised: [...new Set(deliveries.map(({ sent }) => sent.name).filter(handles))],
    branches,
  };
}

/** Returns the fewest built-in scenarios that send the events. */
function scenariosThatSend(catalogue: Catalogue, events: readonly string[]): string[] {
  if (events.length === 0) return ['house-move', 'join-switch-gain', 'billing-cycle'];
  const names = events.map((event) => {
    const [, type = event, version = ''] = /^(.*)-(v\d+)$/.exec(event) ?? [];
    if (version === '' && catalogue.hasType(type)) {
      const versions = catalogue.versionsOf(type).map((each) => quoted(`${type}-${each}`));
      const hint = `Write ${versions.join(' or ')}.`;
      throw new BusbarError('unknown-version', `Event ${quoted(event)} of "events" lacks a version. ${hint}`);
    }
    requireEvent(catalogue, { type, version });
    const source = sourceOf(type);
    if (source !== undefined) return source;
    const message = `No built-in scenario sends ${quoted(event)}. Name one that does in "scenarios".`;
    throw new BusbarError('invalid-option', message);
  });
  return [...new Set(names)];
}
