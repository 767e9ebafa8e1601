import type { EventType } from '../../catalogue/index.js';
import { type Finding, fine, type StreamEvent, type StreamInvariant, unlessFiltered } from './invariant.js';
import { Memory } from './memory.js';
import { asIdentifier, identifier, list, member, occurred } from './payload.js';

export interface SupplyPointsInTime {
  readonly name: string;
  readonly statement: string;
  readonly entity: string;
  readonly of: (event: StreamEvent) => string | undefined;
  /** Asks for the whole; begins and ends one supply point; ends the whole. */
  readonly requested: EventType;
  readonly begun: EventType;
  readonly done: EventType;
  readonly completed: EventType;
}

/** The invariant that the supply points of a process come to their ends, each in order, before the process does. */
export function supplyPointsInTime(rule: SupplyPointsInTime): StreamInvariant {
  function start() {
    const processes = new Memory<Progress>();
    function see(event: StreamEvent): readonly Finding[] {
      const { type } = event;
      if (type !== rule.requested && type !== rule.begun && type !== rule.done && type !== rule.completed) {
        return fine;
      }
      const id = rule.of(event);
      if (id === undefined) return fine;
      const process = processes.get(id) ?? { isWhole: false, begun: new Set(), done: new Set(), at: 0 };
      processes.set(id, process);
      // What came too late to be put in order is not judged.
      if (occurred(event) < process.at) return fine;
      process.at = occurred(event);
      const objections = judge(event, process);
      return objections.map((objection) => ({ event, entity: `${rule.entity} "${id}"`, ...objection }));
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
      return [{ what: 'is completed before its last supply point', certain }];
    }
    const its = identifier(event, 'supply_point', point);
    if (its === undefined || process.begun.size + process.done.size > mostSupplyPoints) return [];
    if (event.type === rule.begun) {
      process.begun.add(its);
      return process.done.has(its) ? [{ what: 'begins with a supply point that it has done' }] : [];
    }
    const isRepeated = process.done.has(its);
    process.done.add(its);
    return isRepeated ? [{ what: 'has done a supply point twice' }] : [];
  }

  return { name: rule.name, statement: rule.statement, proof: 'stream', start };
}

const point = 'external_identifier';

/** A process with more supply points than this is not followed in detail. */
const mostSupplyPoints = 2_000;

interface Progress {
  /** It was requested in the stream: all that happened to it is in the stream. */
  isWhole: boolean;
  readonly begun: Set<string>;
  readonly done: Set<string>;
  at: number;
}
