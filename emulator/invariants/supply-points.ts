import type { EventType } from 'busbar/catalogue';
import { type Finding, type Invariant, noFindings, type StreamEvent, unlessFiltered } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { asIdentifier, identifier, list, member, occurred } from './payload.js';

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
  function start() {
    const processes = new BoundedMap<Progress>();
    function see(event: StreamEvent): readonly Finding[] {
      const { type } = event;
      if (type !== rule.requested && type !== rule.begun && type !== rule.done && type !== rule.completed) {
        return noFindings;
      }
      const id = rule.of(event);
      if (id === undefined) return noFindings;
      const process = processes.get(id) ?? { isWhole: false, done: new Set(), at: 0 };
      processes.set(id, process);
      // The event came too late for sorting.
      if (occurred(event) < process.at) return noFindings;
      process.at = occurred(event);
      const entity = `${rule.entity} "${id}"`;
      return judge(event, process).map((problem) => ({ event, entity, ...problem }));
    }
    return { see };
  }

  function judge(event: StreamEvent, process: Progress): Pick<Finding, 'what' | 'certain'>[] {
    if (event.type === rule.requested) {
      process.isWhole = true;
      return [];
    }
    if (event.type === rule.completed) {
      const points = list(event, 'supply_points').map((each) => asIdentifier(member(each, point)));
      const missing = points.some((each) => each !== undefined && !process.done.has(each));
      if (!missing || !process.isWhole) return [];
      const certain = unlessFiltered(rule.done);
      return [{ what: 'completes before its last supply point', certain }];
    }
    const id = identifier(event, 'supply_point', point);
    if (id === undefined || process.done.size >= maxSupplyPoints) return [];
    const isDone = process.done.has(id);
    if (event.type === rule.begun) return isDone ? [{ what: 'begins a supply point after its end' }] : [];
    process.done.add(id);
    return isDone ? [{ what: 'ends a supply point twice' }] : [];
  }

  return { name: rule.name, statement: rule.statement, proof: 'stream', start };
}

const point = 'external_identifier';

/** Maximum supply points to remember for each process. */
const maxSupplyPoints = 1_000;

interface Progress {
  /** Whether all events of the process are in the stream, from its request on. */
  isWhole: boolean;
  readonly done: Set<string>;
  at: number;
}
