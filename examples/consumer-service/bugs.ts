/**
 * Mistakes that are made in services like this one, each behind the environment variable SEEDED_BUG, so that it can be
 * seen how `emulate verify` finds them. Leave this file out of a service of yours.
 */
import { randomUUID } from 'node:crypto';
import { type AnyEvent, type Consumer, createConsumer, idempotent } from 'busbar';
import type { Parts } from './moves.ts';

type Seeded = readonly [parts: Parts, consumer?: Consumer];

const leaked: AnyEvent[] = [];
let unwritten: NodeJS.Timeout | undefined;

const bugs: Readonly<Record<string, (parts: Parts) => Seeded>> = {
  /** The inbox takes each delivery for a new event. */
  'double-count': (parts) => [
    { ...parts, once: idempotent({ store: parts.database.inbox, key: () => randomUUID() }) },
  ],

  /** A change of plan is taken to come after the plan. */
  'order-assumption': (parts) => [
    withProjection(parts, {
      async planLeaving(sql, leaving, toldAt) {
        if ('requested_at' in leaving) return parts.projection.planLeaving(sql, leaving, toldAt);
        const update = 'UPDATE leavings SET planned_end = $2, told_at = $3 WHERE process = $1 RETURNING 1';
        const values = [leaving.leave_supplier_process_id, leaving.requested_supply_end_at, toldAt];
        const { rows } = await sql.query(update, values);
        if (rows.length === 0) throw new Error('A leaving was moved that is not known.');
      },
    }),
  ],

  /** The specification shows the field, so it will be there. */
  'optional-field': (parts) => [
    withProjection(parts, {
      book: (sql, { ledger, entry }) => {
        const source = (entry.source_type as string).toUpperCase();
        return parts.projection.book(sql, { ledger, entry: { ...entry, source_type: source } });
      },
    }),
  ],

  /** The list of the payload is worked off as if it were the handler's own. */
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

  /** The platform has moved on to v3; nobody has noticed. */
  'missed-version': (parts) => {
    const consumer = createConsumer({ name: 'moves' });
    const on = ((type: string, version: string, ...rest: unknown[]) => {
      const older = type === 'lifecycle.leave-supplier.requested' ? 'v2' : version;
      (consumer.on as (...all: unknown[]) => void)(type, older, ...rest);
    }) as Consumer['on'];
    return [parts, { ...consumer, on }];
  },

  /** A look-up that fails is taken for one that finds nothing. */
  'swallowed-error': (parts) => [
    {
      ...parts,
      platform: {
        townOf: (account, signal) => parts.platform.townOf(account, signal).catch(() => undefined),
      },
    },
  ],

  /** The event is done with before it is written: whoever stops the process in between loses it. */
  'loss-on-shutdown': (parts) => {
    // A new consumer stands for a new process: what the one before had in memory is gone with it.
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

  /** Every event is kept, for a cache that nobody empties. */
  'slow-leak': (parts) => [
    {
      ...parts,
      once: (event, context, next) => {
        leaked.push(event);
        return parts.once(event, context, next);
      },
    },
  ],

  /** Times are taken to be written as they were in the first event that somebody saw. */
  'time-format': (parts) => [
    withProjection(parts, {
      async planLeaving(sql, leaving, toldAt) {
        const [, until] = /^(\S+)\.\d{3}Z$/.exec(leaving.requested_supply_end_at) ?? [];
        if (until === undefined) throw new Error('A time is not as expected.');
        const requested_supply_end_at = `${until}Z`;
        await parts.projection.planLeaving(sql, { ...leaving, requested_supply_end_at }, toldAt);
      },
    }),
  ],
};

/** The parts with the bug that is asked for, or as they are. @throws Error for a bug that there is not */
export function seeded(parts: Parts, bug = process.env['SEEDED_BUG']): Seeded {
  if (bug === undefined || bug === '') return [parts];
  const plant = bugs[bug];
  if (plant === undefined) throw new Error(`SEEDED_BUG: there are ${Object.keys(bugs).join(', ')}.`);
  return plant(parts);
}

function withProjection(parts: Parts, changed: Partial<Parts['projection']>): Parts {
  return { ...parts, projection: { ...parts.projection, ...changed } };
}
