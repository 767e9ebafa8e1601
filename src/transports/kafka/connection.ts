import type { ConnectionOptions } from 'node:tls';
import { BusbarError } from '../../errors.js';

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
  /** How long one attempt to connect to one broker may take; to authenticate, twice that. In ms; default 2,500. */
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

/** `whose` says in the message where they were written. @throws BusbarError `invalid-option` */
export function checkBrokers(brokers: readonly string[], whose = 'kafka()'): void {
  if (brokers.length === 0) {
    throw new BusbarError(
      'invalid-option',
      `${whose}: "brokers" is empty. Name at least one as "host:port".`,
    );
  }
  for (const broker of brokers) {
    const port = Number(/^(?:\[[^\]]+\]|[^:\s/]+):(\d{1,5})$/.exec(broker)?.[1]);
    if (port >= 1 && port <= 65_535) continue;
    throw new BusbarError('invalid-option', `${whose}: broker "${broker}" is not of the form "host:port".`);
  }
}
