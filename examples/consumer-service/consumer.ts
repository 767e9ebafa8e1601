/**
 * The module for `emulate verify examples/consumer-service/consumer.ts`: the service's consumer with a PostgreSQL in this
 * process, and its contract.
 */
import type { ContractOptions, ContractSetup } from 'busbar-emulator/testing';
import { seeded } from './bugs.ts';
import { type Database, openDatabase } from './database.ts';
import { movesConsumer, partsOf } from './moves.ts';
import { platformAt } from './platform.ts';
import { supplyEndsIn, supplyEndsOf } from './truth.ts';

const database = await openDatabase(undefined);
const tables = ['leavings', 'supply_ends', 'reversals', 'bookings', 'final_bills', 'busbar_inbox'];

/** Returns a fresh consumer with the current tables, as after a start of the process. */
export const consumer = async ({ restApi, failurePoint }: ContractSetup) =>
  movesConsumer(...seeded(partsOf(failing(database, failurePoint), platformAt(await restApi()))));

export const contract: ContractOptions = {
  scenarios: ['house-move'],
  reset: async () => {
    // TRUNCATE makes new files for each table: for a few rows, DELETE is quicker.
    for (const table of tables) await database.query(`DELETE FROM ${table}`);
  },
  observe: async () => ({
    leavings: await database.query('SELECT process, account, planned_end FROM leavings ORDER BY process'),
    supplyEnds: await database.query('SELECT * FROM supply_ends ORDER BY account, supply_point'),
    reversals: await database.query('SELECT process FROM reversals ORDER BY process'),
    bookings: await database.query('SELECT * FROM bookings ORDER BY account, source'),
    finalBills: await database.query('SELECT * FROM final_bills ORDER BY statement'),
  }),
  projection: () => supplyEndsIn(database),
  expected: supplyEndsOf,
};

/** Returns the database with a failure point at each query of a handler, so that swallowed errors are found. */
function failing(whole: Database, failurePoint: () => void): Database {
  const transaction: Database['inbox']['transaction'] = (context) => {
    const sql = whole.inbox.transaction(context);
    return {
      query: async (...statement) => {
        failurePoint();
        return sql.query(...statement);
      },
    };
  };
  return { ...whole, inbox: { ...whole.inbox, transaction } };
}
