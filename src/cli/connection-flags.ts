import { BusbarError } from '../base/errors.js';
import { choice, either } from '../base/options.js';
import {
  connectionOptions as rows,
  type KafkaConnectionOptions,
  type KafkaSasl,
} from '../transports/kafka/connection.js';
import { type FlagTable, keyed } from './flags.js';

export interface ConnectionArguments {
  readonly brokers: readonly string[];
  readonly ssl?: KafkaConnectionOptions['ssl'];
  /** A mechanism, or credentials of the configuration file. */
  readonly sasl?: Exclude<KafkaSasl['mechanism'], 'oauthbearer'> | KafkaSasl;
}

/** Flags for a connection to Kafka. */
export const connectionFlags: FlagTable<ConnectionArguments> = keyed('kafka', {
  brokers: {
    ...rows.brokers,
    value: '<list>',
    text: 'Some of the brokers, e.g. a:9092,b:9092',
    read: readBrokers,
  },
  ssl: { ...rows.ssl, text: 'Encrypt the connection' },
  sasl: {
    type: either(choice('plain', 'scram-sha-256', 'scram-sha-512'), rows.sasl.type),
    value: '<mechanism>',
    expected: '"plain", "scram-sha-256" or "scram-sha-512"',
    text: 'Log in with BUSBAR_KAFKA_USERNAME and _PASSWORD',
  },
});

/** Returns the brokers of a list: `a:9092,b:9092`. */
export function readBrokers(list: string): string[] {
  return list.split(',').map((broker) => broker.trim());
}

/** @throws BusbarError `invalid-option` */
export function connectionOptions({ brokers, ssl, sasl }: ConnectionArguments): KafkaConnectionOptions {
  return { brokers, clientId: 'busbar-cli', ...(ssl && { ssl }), ...saslOptions(sasl) };
}

/** Reads user and password of a mechanism from the environment, because every process can read a command line. */
export function saslOptions(sasl: ConnectionArguments['sasl']): { readonly sasl?: KafkaSasl } {
  if (typeof sasl !== 'string') return sasl === undefined ? {} : { sasl };
  const { BUSBAR_KAFKA_USERNAME: username, BUSBAR_KAFKA_PASSWORD: password } = process.env;
  if (username === undefined || password === undefined || username === '' || password === '') {
    throw new BusbarError(
      'invalid-option',
      `Authentication by "${sasl}" needs a user. Set BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD.`,
    );
  }
  return { sasl: { mechanism: sasl, username, password } };
}
