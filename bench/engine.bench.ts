import { faker } from '@faker-js/faker';
import type { OutgoingEvent, PlanOptions } from 'busbar-emulator';
import { fork } from 'node:child_process';
import { messagesOf } from './child-messages.js';
import { run } from './engine/run.js';
import { type Measured, median } from './measure.js';

/** Rounds of each candidate. */
const rounds = 9;
/** Rounds to warm up the compiler, of each candidate. */
const warmUps = 10;
/** Events per round. */
const events = 10_000;

/**
 * Measures the whole engine (scheduler, world, payload, validation, encoding; no sinks): an event relative to serialising
 * alone, and relative to the engine with a thousand times as many instances. Then the cost of households.
 */
export async function* measure(): AsyncIterable<Measured> {
  const day = 86_400_000;
  const everyday = { scenario: 'everyday', accounts: 10_000 };
  yield* toFloor('house-move', (seed) => ({ scenario: 'house-move', instances: 150, seed }));
  yield* toFloor('everyday', (seed) => ({ ...everyday, duration: 10 * day, seed }));
  // The first day opens a household for every five events. It has no target.
  const ofFirstDay = toFloor('everyday, its first day', (seed) => ({
    ...everyday,
    duration: day,
    seed,
  }));
  for await (const { target: _target, ...figure } of ofFirstDay) yield figure;
  // In child processes: the garbage of others would slow them down.
  for (const name of ['by-instances', 'households']) {
    yield* messagesOf<Measured>(fork(new URL(`./engine/${name}.ts`, import.meta.url)));
  }
}

type Envelope = OutgoingEvent['envelope'];

/** Compares the engine, and a generator written by hand, with serialising the same events alone. */
async function* toFloor(name: string, options: (seed: number) => PlanOptions): AsyncIterable<Measured> {
  const envelopes: Envelope[] = [];
  await run(options(1), (emissions) => {
    envelopes.push(...emissions.map(({ envelope }) => envelope));
    return envelopes.length >= events;
  });
  const share = 500;
  /** Functions that return the number of events they made. */
  const timed = {
    engine: async (round: number) => {
      let made = 0;
      await run(options(round + 2 + warmUps), (emissions) => {
        made += emissions.length;
        return false;
      });
      return made;
    },
    floor: () => envelopes.map((envelope) => Buffer.from(JSON.stringify(envelope))).length,
    faker: () => {
      for (let made = 0; made < share; made++) Buffer.from(JSON.stringify(fakerEvent()));
      return share;
    },
  };
  const times = Object.fromEntries(Object.keys(timed).map((contestant) => [contestant, [] as number[]]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [contestant, work] of Object.entries(timed)) {
      const begun = performance.now();
      const made = await work(round);
      if (round >= 0) times[contestant]?.push((performance.now() - begun) / made);
    }
  }
  const ratio = (of: string) =>
    median((times[of] ?? []).map((time, round) => time / (times['floor']?.[round] ?? Number.NaN)));
  yield { case: `${name} to the stringify floor`, ratio: ratio('engine'), target: 3 };
  yield { case: `a faker object to that floor`, ratio: ratio('faker') };
}

/** Returns a hand-written generator for the most frequent event of a house move. */
function fakerEvent() {
  return {
    id: faker.string.uuid(),
    event_type: 'lifecycle.leave-supplier.requested',
    version: 'v3',
    occurred_at: faker.date.recent().toISOString(),
    payload: {
      account_number: `A-${faker.string.hexadecimal({ length: 8, casing: 'upper', prefix: '' })}`,
      leave_supplier_process_id: faker.number.int({ min: 1, max: 1e9 }),
      leave_supplier_process_number: `LS-${faker.string.hexadecimal({ length: 8, casing: 'upper', prefix: '' })}`,
      leave_supplier_process_subtype: faker.helpers.arrayElement(['MOVE_OUT', 'CHANGE_OF_SUPPLIER']),
      supply_points: faker.helpers.multiple(
        () => ({
          market_identifier: faker.string.numeric(13),
          external_identifier: faker.string.numeric(13),
          market_name: faker.helpers.arrayElement(['GBR_ELECTRICITY', 'GBR_GAS']),
        }),
        { count: 2 },
      ),
      requested_supply_end_at: faker.date.soon().toISOString(),
      requested_supply_end_date: faker.date.soon().toISOString().slice(0, 10),
      requested_at: faker.date.recent().toISOString(),
      is_passive: faker.datatype.boolean(),
    },
  };
}
