import type { EventType } from 'busbar/catalogue';
import { comparing } from './comparing.js';
import { type Finding, type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { identifier, supplyPoints } from './payload.js';

interface SupplyPointsInTime {
  readonly name: string;
  readonly statement: string;
  readonly entity: string;
  readonly of: (event: StreamEvent) => string | undefined;
  /** Starts the process. */
  readonly requested: EventType;
  /** Begins one supply point. */
  readonly begun: EventType;
  /** Ends one supply point. */
  readonly done: EventType;
  /** Completes the process. */
  readonly completed: EventType;
}

/** Creates the invariant that each supply point of a process begins, then ends, before the process completes. */
export function supplyPointsInTime(rule: SupplyPointsInTime): Invariant {
  const types: readonly string[] = [rule.requested, rule.begun, rule.done, rule.completed];

  function judge(event: StreamEvent, process: Progress): Pick<Finding, 'what' | 'certain'> | undefined {
    if (event.type === rule.requested) {
      process.isWhole = true;
      return undefined;
    }
    if (event.type === rule.completed) {
      const points = supplyPoints(event);
      const missing = points.some((each) => each !== undefined && !process.done.has(each));
      const certain = unlessFiltered(rule.done);
      return missing && process.isWhole
        ? { what: 'completes before its last supply point', certain }
        : undefined;
    }
    const id = identifier(event, 'supply_point', point);
    if (id === undefined || process.done.size >= maxSupplyPoints) return undefined;
    const isDone = process.done.has(id);
    if (event.type === rule.begun)
      return isDone ? { what: 'begins a supply point after its end' } : undefined;
    process.done.add(id);
    return isDone ? { what: 'ends a supply point twice' } : undefined;
  }

  return comparing<Progress>({
    ...rule,
    of: (event) => (types.includes(event.type) ? rule.of(event) : undefined),
    see: (event, process = { isWhole: false, done: new Set() }) => ({
      keep: process,
      ...judge(event, process),
    }),
  });
}

const point = 'external_identifier';

/** Maximum supply points to remember for each process. */
const maxSupplyPoints = 1_000;

interface Progress {
  /** Whether all events of the process are in the stream, from its request on. */
  isWhole: boolean;
  readonly done: Set<string>;
}
