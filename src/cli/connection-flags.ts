import { BusbarError } from '../base/errors.js';
import { boolean, choice } from '../base/options.js';
import {
  brokerAddresses,
  type KafkaConnectionOptions,
  type KafkaSasl,
} from '../transports/kafka/connection.js';
import type { FlagTable } from './flags.js';

export interface ConnectionArguments {
  readonly brokers: readonly string[];
  readonly ssl?: boolean;
  readonly sasl?: Exclude<KafkaSasl['mechanism'], 'oauthbearer'>;
}

/** Flags for a connection to Kafka. */
export const connectionFlags: FlagTable<ConnectionArguments> = {
  brokers: {
    type: brokerAddresses,
    isRequired: true,
    value: '<list>',
    text: 'Some of the brokers, e.g. a:9092,b:9092',
    read: readBrokers,
  },
  ssl: { type: boolean, text: 'Encrypt the connection' },
  sasl: {
    type: choice('plain', 'scram-sha-256', 'scram-sha-512'),
    value: '<mechanism>',
    text: 'Log in with BUSBAR_KAFKA_USERNAME and _PASSWORD',
  },
};

/** Returns the brokers of a list: `a:9092,b:9092`. */
export function readBrokers(list: string): string[] {
  return list.split(',').map((broker) => broker.trim());
}

/** @throws BusbarError `invalid-option` */
export function connectionOptions({ brokers, ssl, sasl }: ConnectionArguments): KafkaConnectionOptions {
  return { brokers, clientId: 'busbar-cli', ...(ssl && { ssl }), ...saslOptions(sasl) };
}

/** Reads user and password from the environment, because every process can read a command line. */
export function saslOptions(mechanism: ConnectionArguments['sasl']): { readonly sasl?: KafkaSasl } {
  if (mechanism === undefined) return {};
  const { BUSBAR_KAFKA_USERNAME: username, BUSBAR_KAFKA_PASSWORD: password } = process.env;
  if (username === undefined || password === undefined || username === '' || password === '') {
    throw new BusbarError(
      'invalid-option',
      `Authentication by "${mechanism}" needs a user. Set BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD.`,
    );
  }
  return { sasl: { mechanism, username, password } };
}
