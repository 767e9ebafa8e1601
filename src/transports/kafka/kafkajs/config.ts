import kafkajs, { type KafkaConfig, type SASLOptions } from 'kafkajs';
import { withDefaults } from '../../../base/options.js';
import { quoted } from '../../../base/quoted.js';
import { connectionOptions, type KafkaConnectionOptions, type KafkaSasl } from '../connection.js';
import { safeMessage } from '../../../base/thrown.js';

/** How to reach Kafka and as whom, as kafkajs takes it: the same for whoever connects. */
export function configOf(options: KafkaConnectionOptions): KafkaConfig {
  const { brokers, clientId, ssl, sasl, connectionTimeout } = withDefaults(connectionOptions, options);
  return {
    brokers: [...brokers],
    clientId,
    connectionTimeout,
    authenticationTimeout: 2 * connectionTimeout,
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl: saslOf(sasl) }),
  };
}

/** For messages: the brokers, and how they are talked to where that may be what is wrong. */
export function whereOf({ brokers, ssl, sasl }: KafkaConnectionOptions): string {
  const how = [
    ...(sasl === undefined ? [] : [`SASL ${quoted(sasl.mechanism)}`]),
    ...(ssl === undefined || ssl === false ? [] : ['TLS']),
  ];
  const list = brokers.map((each) => quoted(each)).join(', ');
  return how.length === 0 ? list : `${list} (${how.join(', ')})`;
}

/** Always an object of its own: kafkajs writes into it who was authenticated, password and all. */
function saslOf(sasl: KafkaSasl): NonNullable<KafkaConfig['sasl']> {
  if (sasl.mechanism !== 'oauthbearer') {
    const { mechanism, username, password } = sasl;
    // One of three types of kafkajs, which differ in nothing but the name.
    return { mechanism, username, password } as SASLOptions;
  }
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => ({ value: await tokenOf(sasl.token) }),
  };
}

/** Who hands out tokens may be away for a while: that is to be tried again, and on a connection that waits for none. */
async function tokenOf(bring: () => Promise<string>): Promise<string> {
  try {
    return await bring();
  } catch (error) {
    throw new kafkajs.KafkaJSConnectionError(`"token" of "sasl" brought none: ${safeMessage(error)}`);
  }
}
