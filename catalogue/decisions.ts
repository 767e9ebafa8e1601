import { mapObjects } from './schema.js';

/** A choice of ours where the specification says that something is not shown; the mark is `x-busbar-decision`. */
export interface Decision {
  /** The place in the specification that leaves it open. */
  readonly clause: string;
  readonly decision: string;
  /** Where the mark stands. */
  readonly source: string;
}

/**
 * Every mark anywhere in a document: a schema, an OpenAPI document, the metadata of a scenario. Throws an `Error`
 * when a mark lacks its clause or its decision.
 */
export function decisionsOf(source: string, document: unknown): Decision[] {
  const found: Decision[] = [];
  mapObjects(document, (object) => {
    const mark = object['x-busbar-decision'];
    for (const each of mark === undefined ? [] : [mark].flat()) found.push(readMark(source, each));
    return object;
  });
  return found;
}

function readMark(source: string, mark: unknown): Decision {
  const { clause, decision } = (mark ?? {}) as Record<string, unknown>;
  if (typeof clause !== 'string' || typeof decision !== 'string') {
    throw new Error(`${source}: an "x-busbar-decision" needs a "clause" and a "decision", both text.`);
  }
  return { clause, decision, source };
}
