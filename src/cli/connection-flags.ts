import { checkOptions } from '../base/options.js';
import { BusbarError } from '../base/errors.js';
import {
  brokerAddresses,
  type KafkaConnectionOptions,
  type KafkaSasl,
} from '../transports/kafka/connection.js';

/** Flags for a connection to Kafka, for yargs. */
export const connectionFlags = {
  brokers: {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe: 'Some of the brokers: a:9092,b:9092',
  },
  ssl: { type: 'boolean', default: false, describe: 'Encrypt the connection' },
  sasl: {
    type: 'string',
    requiresArg: true,
    choices: ['plain', 'scram-sha-256', 'scram-sha-512'] as const,
    describe: 'Authenticate with BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD, from the environment',
  },
} as const;

export interface ConnectionArguments {
  readonly brokers: string;
  readonly ssl: boolean;
  readonly sasl?: (typeof connectionFlags.sasl.choices)[number] | undefined;
}

/** @throws BusbarError `invalid-option` */
export function connectionOptions({ brokers, ssl, sasl }: ConnectionArguments): KafkaConnectionOptions {
  const list = brokers.split(',').map((broker) => broker.trim());
  checkOptions('The command', { '--brokers': { type: brokerAddresses } }, { '--brokers': list });
  return { brokers: list, clientId: 'busbar-cli', ...(ssl ? { ssl } : {}), ...saslOptions(sasl) };
}

/** Reads user and password from the environment, because every process can read a command line. */
export function saslOptions(mechanism: Exclude<KafkaSasl['mechanism'], 'oauthbearer'> | undefined): {
  readonly sasl?: KafkaSasl;
} {
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
