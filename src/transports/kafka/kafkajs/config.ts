import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { quoted } from '../../../quoted.js';
import type { KafkaConnectionOptions, KafkaSasl } from '../connection.js';

/** How to reach Kafka and as whom, as kafkajs takes it: the same for whoever connects. */
export function configOf(options: KafkaConnectionOptions): KafkaConfig {
  const { brokers, clientId = 'busbar', ssl, sasl, connectionTimeout = 2_500 } = options;
  return {
    brokers: [...brokers],
    clientId,
    connectionTimeout,
    authenticationTimeout: 5_000,
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl: saslOf(sasl) }),
  };
}

/** The brokers, for messages. */
export function listed(brokers: readonly string[]): string {
  return brokers.map((each) => quoted(each)).join(', ');
}

function saslOf(sasl: KafkaSasl): NonNullable<KafkaConfig['sasl']> {
  // One of three types of kafkajs, which differ in nothing but the name.
  if (sasl.mechanism !== 'oauthbearer') return sasl as SASLOptions;
  return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await sasl.token() }) };
}
