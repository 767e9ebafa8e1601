import { anything, either, listOf, nested, nonEmptyText, type Option } from '../base/options.js';
import { consumerOptions } from '../consumer.js';
import { runOptions } from '../running/run-options.js';
import { connectionOptions } from '../transports/kafka/connection.js';

const { catalogue: _catalogue, envelope: _envelope, ...handling } = { ...consumerOptions, ...runOptions };
const { brokers, ...connection } = connectionOptions;

/** The keys of a configuration file. `busbar-emulator` validates the last four, which are its own. */
export const configKeys = {
  catalogue: { type: either(nonEmptyText, listOf(nonEmptyText)) },
  envelope: { type: anything },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }) },
  kafka: { type: nested({ ...connection, brokers: { type: brokers.type } }) },
  consumer: { type: nested(handling) },
  scenarios: { type: anything },
  contract: { type: anything },
  world: { type: anything },
  emulator: { type: anything },
} satisfies Readonly<Record<string, Option>>;
