import { anything, either, listOf, nested, nonEmptyText, type Option } from '../base/options.js';
import { consumerOptions } from '../consumer.js';
import { runOptions } from '../running/run-options.js';
import { connectionOptions } from '../transports/kafka/connection.js';

const { catalogue: _catalogue, envelope: _envelope, ...handling } = { ...consumerOptions, ...runOptions };
const { brokers, ...connection } = connectionOptions;

/** A key that `busbar-emulator` validates, which may contain secrets. */
const ofEmulator = { type: anything, isSecret: true } as const;

/** Rows of the keys of a configuration file. */
export const configKeys: Readonly<Record<string, Option>> = {
  catalogue: { type: either(nonEmptyText, listOf(nonEmptyText)) },
  envelope: { type: anything },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }) },
  kafka: { type: nested({ ...connection, brokers: { type: brokers.type } }) },
  consumer: { type: nested(handling) },
  scenarios: ofEmulator,
  contract: ofEmulator,
  world: ofEmulator,
  emulator: ofEmulator,
};
