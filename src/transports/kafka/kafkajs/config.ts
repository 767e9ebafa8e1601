import kafkajs, { type KafkaConfig, type SASLOptions } from 'kafkajs';
import { defined } from '../../../base/defined.js';
import { withDefaults } from '../../../base/options.js';
import { quoted, safeMessage } from '../../../base/errors.js';
import { connectionOptions, type KafkaConnectionOptions, type KafkaSasl } from '../connection.js';

/** Returns the addresses and credentials as kafkajs takes them. */
export function configOf(options: KafkaConnectionOptions): KafkaConfig {
  const { brokers, clientId, ssl, sasl, connectionTimeout } = withDefaults(connectionOptions, options);
  return {
    brokers: [...brokers],
    clientId,
    connectionTimeout,
    authenticationTimeout: 2 * connectionTimeout,
    ...defined({ ssl, sasl: sasl && saslOf(sasl) }),
  };
}

/** Names the brokers for a message, with the encryption and authentication that may be wrong. */
export function whereOf({ brokers, ssl, sasl }: KafkaConnectionOptions): string {
  const how = [
    ...(sasl === undefined ? [] : [`SASL ${quoted(sasl.mechanism)}`]),
    ...(ssl === undefined || ssl === false ? [] : ['TLS']),
  ];
  const list = brokers.map((each) => quoted(each)).join(', ');
  return how.length === 0 ? list : `${list} (${how.join(', ')})`;
}

/** Returns a new object each time: kafkajs writes the password into it again. */
function saslOf(sasl: KafkaSasl): NonNullable<KafkaConfig['sasl']> {
  if (sasl.mechanism !== 'oauthbearer') {
    const { mechanism, username, password } = sasl;
    // One of three types of kafkajs, which differ only in their names.
    return { mechanism, username, password } as SASLOptions;
  }
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => ({ value: await tokenOf(sasl.token) }),
  };
}

/** Makes a failure one of the connection, so that kafkajs retries it. */
async function tokenOf(bring: () => Promise<string>): Promise<string> {
  let reason = 'it returned no string';
  try {
    const token: unknown = await bring();
    if (typeof token === 'string' && token) return token;
  } catch (error) {
    reason = safeMessage(error);
  }
  throw new kafkajs.KafkaJSConnectionError(`"token" of "sasl" returned no token: ${reason}`);
}
