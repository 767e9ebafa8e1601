import type { ConnectionOptions } from 'node:tls';
import { maxTimer } from '../../base/clock.js';
import {
  anything,
  boolean,
  callback,
  choice,
  either,
  listOf,
  nested,
  nonEmptyText,
  number,
  type OptionTable,
  text,
  type ValueType,
} from '../../base/options.js';
import { BusbarError } from '../../base/errors.js';

/** Addresses, encryption and authentication of a connection to Kafka. */
export interface KafkaConnectionOptions {
  /** `host:port` of at least one broker; the client discovers the others. */
  readonly brokers: readonly string[];
  /** Name of this program in the brokers' logs and quotas. Default `busbar`. */
  readonly clientId?: string;
  /** TLS options, or `true` to encrypt and trust Node's certificate authorities. Default false. */
  readonly ssl?: boolean | KafkaSsl;
  /** Credentials. Default: no authentication. */
  readonly sasl?: KafkaSasl;
  /** Timeout for connecting to one broker, in milliseconds; for authentication, twice that. Default 2,500. */
  readonly connectionTimeout?: number;
}

/** TLS options of Node, with keys and certificates as PEM. */
export type KafkaSsl = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'
>;

/** Credentials by SASL mechanism. */
export type KafkaSasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'oauthbearer';
      /** Returns a token. Called for each connection, and again before it must reauthenticate. */
      readonly token: () => Promise<string>;
    };

const brokerAddress: ValueType = {
  expected: 'a broker as "host:port"',
  accepts(value) {
    const [, port] = /^(?:\[[^\]]+\]|[^:\s/]+):(\d{1,5})$/.exec(String(value)) ?? [];
    return typeof value === 'string' && Number(port) >= 1 && Number(port) <= 65_535;
  },
};

/** Option type: a list of broker addresses. */
export const brokerAddresses = listOf(brokerAddress, { notEmpty: true });

const pem = { type: anything, isSecret: true } as const;

const sslOptions = {
  ca: pem,
  cert: pem,
  key: pem,
  passphrase: pem,
  servername: { type: text },
  rejectUnauthorized: { type: boolean },
} satisfies OptionTable<KafkaSsl>;

const saslOptions = {
  mechanism: { type: choice('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'), isRequired: true },
  username: { type: nonEmptyText },
  password: { type: text, isSecret: true },
  token: { type: callback },
} satisfies OptionTable<{ mechanism: string; username: string; password: string; token: () => unknown }>;

export const connectionOptions = {
  brokers: { type: brokerAddresses, isRequired: true },
  clientId: { type: nonEmptyText, default: 'busbar' },
  ssl: { type: either(boolean, nested(sslOptions)) },
  sasl: { type: nested(saslOptions) },
  connectionTimeout: { type: number({ above: 0, to: maxTimer }), default: 2_500, unit: 'milliseconds' },
} satisfies OptionTable<KafkaConnectionOptions>;

/** Checks that the credentials of the mechanism are present. @throws BusbarError `invalid-option` */
export function checkSasl(owner: string, sasl: KafkaSasl | undefined): void {
  if (sasl === undefined) return;
  const needed = sasl.mechanism === 'oauthbearer' ? ['token'] : ['username', 'password'];
  const missing = needed.find((name) => (sasl as unknown as Record<string, unknown>)[name] === undefined);
  if (missing === undefined) return;
  throw new BusbarError(
    'invalid-option',
    `${owner}: mechanism "${sasl.mechanism}" needs "sasl.${missing}". Set it.`,
  );
}
