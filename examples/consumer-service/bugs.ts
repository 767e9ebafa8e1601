/**
 * Typical mistakes, selected by the environment variable SEEDED_BUG, that show how `emulate verify` finds them. Leave
 * this file out of your own service.
 */
import { randomUUID } from 'node:crypto';
import { type AnyEvent, type Consumer, createConsumer } from 'busbar';
import { idempotent } from 'busbar/idempotency';
import type { Parts } from './moves.ts';

type Seeded = readonly [parts: Parts, consumer?: Consumer];

const leaked: AnyEvent[] = [];
let unwritten: NodeJS.Timeout | undefined;

const bugs: Readonly<Record<string, (parts: Parts) => Seeded>> = {
  /** The inbox treats each delivery as a new event. */
  'double-count': (parts) => [
    { ...parts, once: idempotent({ store: parts.database.inbox, key: () => randomUUID() }) },
  ],

  /** The handler requires an optional field that the specification shows. */
  'optional-field': (parts) => [
    withProjection(parts, {
      book: (sql, { ledger, entry }) => {
        const source = (entry.source_type as string).toUpperCase();
        return parts.projection.book(sql, { ledger, entry: { ...entry, source_type: source } });
      },
    }),
  ],

  /** The handler empties a list of the payload. */
  'payload-mutation': (parts) => [
    withProjection(parts, {
      async endSupply(sql, left) {
        for (
          let point = left.supply_points.shift();
          point !== undefined;
          point = left.supply_points.shift()
        ) {
          await parts.projection.endSupply(sql, { ...left, supply_points: [point] });
        }
      },
    }),
  ],

  /** The handler is for v2, but the platform sends v3. */
  'missed-version': (parts) => {
    const consumer = createConsumer({ name: 'moves' });
    const on = ((type: string, version: string, ...rest: unknown[]) => {
      const older = type === 'lifecycle.leave-supplier.requested' ? 'v2' : version;
      (consumer.on as (...all: unknown[]) => void)(type, older, ...rest);
    }) as Consumer['on'];
    return [parts, { ...consumer, on }];
  },

  /** A failed look-up counts as an empty one. */
  'swallowed-error': (parts) => [
    {
      ...parts,
      platform: {
        townOf: (account, signal) => parts.platform.townOf(account, signal).catch(() => undefined),
      },
    },
  ],

  /** The handler returns before it writes: a stop in between loses the event. */
  'loss-on-shutdown': (parts) => {
    // A new consumer simulates a new process, which does not have the memory of the last one.
    clearTimeout(unwritten);
    const waiting: Parameters<Parts['projection']['book']>[1][] = [];
    const write = async () => {
      const { database, projection } = parts;
      for (const each of waiting.splice(0)) {
        await projection.book({ query: async (...all) => ({ rows: await database.query(...all) }) }, each);
      }
    };
    return [
      withProjection(parts, {
        async book(_sql, posted) {
          waiting.push(posted);
          clearTimeout(unwritten);
          unwritten = setTimeout(() => void write(), 250);
        },
      }),
    ];
  },

  /** A cache keeps every event and is never emptied. */
  'slow-leak': (parts) => [
    {
      ...parts,
      once: (event, context, next) => {
        leaked.push(event);
        return parts.once(event, context, next);
      },
    },
  ],

  /** The handler accepts only one of the legal time formats. */
  'time-format': (parts) => [
    withProjection(parts, {
      async planLeaving(sql, leaving, toldAt) {
        const [, until] = /^(\S+)\.\d{3}Z$/.exec(leaving.requested_supply_end_at) ?? [];
        if (until === undefined) throw new Error('The time has an unexpected format.');
        const requested_supply_end_at = `${until}Z`;
        await parts.projection.planLeaving(sql, { ...leaving, requested_supply_end_at }, toldAt);
      },
    }),
  ],
};

/** Returns the parts with the selected bug, if any. @throws Error for an unknown bug */
export function seeded(parts: Parts, bug = process.env['SEEDED_BUG']): Seeded {
  if (bug === undefined || bug === '') return [parts];
  const plant = bugs[bug];
  if (plant === undefined)
    throw new Error(`SEEDED_BUG is unknown. Use one of ${Object.keys(bugs).join(', ')}.`);
  return plant(parts);
}

function withProjection(parts: Parts, changed: Partial<Parts['projection']>): Parts {
  return { ...parts, projection: { ...parts.projection, ...changed } };
}
