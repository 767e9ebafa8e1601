import type { ConnectionOptions } from 'node:tls';
import { longestTimer } from '../../base/clock.js';
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

/** How to reach Kafka, and as whom. */
export interface KafkaConnectionOptions {
  /** `host:port` of some of the brokers; the others are found through them. */
  readonly brokers: readonly string[];
  /** Names this program in the brokers' logs and quotas. Default `busbar`. */
  readonly clientId?: string;
  /** Encrypts. `true` trusts the authorities that Node trusts. Default false. */
  readonly ssl?: boolean | KafkaSsl;
  /** Authenticates. Default: not. */
  readonly sasl?: KafkaSasl;
  /** The longest attempt to connect to one broker; to authenticate, twice that. In milliseconds; default 2,500. */
  readonly connectionTimeout?: number;
  /**
   * Stops a timer of kafkajs 2.2.4 that costs about 2 % of a processor for each idle connection (tulios/kafkajs#1751),
   * for every kafkajs client of this process. Default true.
   */
  readonly patchIdleTimers?: boolean;
}

/** PEM texts, as Node's `tls` takes them. */
export type KafkaSsl = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'
>;

export type KafkaSasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'oauthbearer';
      /** Called for each connection, and again before it must authenticate anew. */
      readonly token: () => Promise<string>;
    };

const brokerAddress: ValueType = {
  expected: 'a broker as "host:port"',
  accepts(value) {
    const [, port] = /^(?:\[[^\]]+\]|[^:\s/]+):(\d{1,5})$/.exec(String(value)) ?? [];
    return typeof value === 'string' && Number(port) >= 1 && Number(port) <= 65_535;
  },
};

/** Addresses of brokers. */
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

/** {@link KafkaConnectionOptions}, as a table. */
export const connectionOptions = {
  brokers: { type: brokerAddresses, isRequired: true },
  clientId: { type: nonEmptyText, default: 'busbar' },
  ssl: { type: either(boolean, nested(sslOptions)) },
  sasl: { type: nested(saslOptions) },
  connectionTimeout: { type: number({ above: 0, to: longestTimer }), default: 2_500, unit: 'milliseconds' },
  patchIdleTimers: { type: boolean, default: true },
} satisfies OptionTable<KafkaConnectionOptions>;

/** Checks what a mechanism needs. @throws BusbarError `invalid-option` */
export function checkSasl(owner: string, sasl: KafkaSasl | undefined): void {
  if (sasl === undefined) return;
  const needed = sasl.mechanism === 'oauthbearer' ? ['token'] : ['username', 'password'];
  const missing = needed.find((name) => (sasl as unknown as Record<string, unknown>)[name] === undefined);
  if (missing === undefined) return;
  throw new BusbarError(
    'invalid-option',
    `${owner}: "sasl.${missing}" is missing. Mechanism "${sasl.mechanism}" needs it.`,
  );
}
