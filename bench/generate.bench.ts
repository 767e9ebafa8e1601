import { faker } from '@faker-js/faker';
import { generateSync } from 'json-schema-faker';
import type * as encoding from '../emulator/run/encode.js';
import type * as planning from '../emulator/run/plan.js';
import { built, builtLibrary } from './built.js';
import { type Measured, median } from './measure.js';

const rounds = 9;
const instances = 150;

/**
 * Events a second out of the whole engine (scheduler, world, payload, validation, encoding), against generators that
 * people use instead, each serialising as many events of the same types; and against the serialising alone.
 */
export async function* measure(): AsyncIterable<Measured> {
  const { openCatalogue } = await builtLibrary();
  const { planRun } = await built<typeof planning>('emulator/run/plan');
  const { encoder } = await built<typeof encoding>('emulator/run/encode');
  const catalogue = openCatalogue();
  const envelopes: unknown[] = [];
  /** Whole lives, from the opening of a household to its last event. */
  const engine = async (seed: number, keep = false) => {
    const plan = planRun({ scenario: 'house-move', instances, seed });
    const encode = encoder(catalogue, plan.ordering);
    let events = 0;
    for (const occurred of plan.occurrences) {
      const encoded = encode(occurred);
      const emissions = encoded instanceof Promise ? await encoded : encoded;
      events += emissions.length;
      if (keep) envelopes.push(...emissions.map(({ envelope }) => envelope));
    }
    return events;
  };
  await engine(1, true);

  const schemas = await Promise.all(
    [...new Set(envelopes.map((each) => (each as { event_type: string }).event_type))].map(async (type) => {
      const event = catalogue.find(type, catalogue.versionsOf(type).at(-1) ?? '');
      if (event === undefined) throw new Error(`The catalogue has no "${type}".`);
      return catalogue.schema(event);
    }),
  );
  const share = 500;
  /** Each answers how many events it made. */
  const timed = {
    engine: (round: number) => engine(round + 10),
    floor: () => envelopes.map((envelope) => Buffer.from(JSON.stringify(envelope))).length,
    'json-schema-faker': () => {
      for (let made = 0; made < share; made++) {
        Buffer.from(JSON.stringify(generateSync(schemas[made % schemas.length] as never)));
      }
      return share;
    },
    faker: () => {
      for (let made = 0; made < share; made++) Buffer.from(JSON.stringify(fakerEvent()));
      return share;
    },
  };
  const times = Object.fromEntries(Object.keys(timed).map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round++) {
    for (const [name, work] of Object.entries(timed)) {
      const begun = performance.now();
      const events = await work(round);
      if (round >= 0) times[name]?.push((performance.now() - begun) / events);
    }
  }
  const ratio = (of: string, to: string) =>
    median((times[of] ?? []).map((time, round) => time / (times[to]?.[round] ?? Number.NaN)));
  yield {
    case: 'engine over json-schema-faker',
    ratio: ratio('json-schema-faker', 'engine'),
    target: 10,
    atLeast: true,
  };
  yield {
    case: 'engine over a faker-built object',
    ratio: ratio('faker', 'engine'),
    target: 2,
    atLeast: true,
  };
  yield { case: 'engine to the stringify floor', ratio: ratio('engine', 'floor'), target: 5 };
}

/** What a test suite would build by hand for the commonest event of a house move. */
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
