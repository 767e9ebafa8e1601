import { readFileSync } from 'node:fs';

/** Address of the listener with TLS, SASL and access control of `npm run test:kafka`. */
export const realSecuredKafka = process.env['KAFKA_SECURED_BROKERS'];

export interface User {
  readonly name: string;
  readonly password: string;
}

/** May do everything. */
export const operator: User = { name: 'operator', password: 'operators-secret' };
/** May do what a test grants. */
export const guest: User = { name: 'guest', password: 'guests-secret' };

const users = [operator, guest];

/**
 * Properties of a node whose listener `SECURED` asks for all mechanisms of SASL over TLS. Clients of
 * other listeners need no login and may do everything.
 */
export function securedSettings(keystore: string): string[] {
  const jaas = (mechanism: string, module: string, options = '') =>
    `listener.name.secured.${mechanism}.sasl.jaas.config=org.apache.kafka.common.security.${module} required${options};`;
  const passwords = users.map(({ name, password }) => ` user_${name}="${password}"`).join('');
  return [
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    jaas('plain', 'plain.PlainLoginModule', passwords),
    jaas('scram-sha-256', 'scram.ScramLoginModule'),
    jaas('scram-sha-512', 'scram.ScramLoginModule'),
    // Given no keys, it takes tokens without a signature; the claim is the broker's own.
    jaas('oauthbearer', 'oauthbearer.OAuthBearerLoginModule', ' unsecuredLoginStringClaim_sub="broker"'),
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${keystore}`,
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    `super.users=User:ANONYMOUS;User:${operator.name}`,
  ];
}

/** Arguments of `StorageTool format`: SCRAM passwords cannot be in the properties. */
export function scramArguments(): string[] {
  return users.flatMap(({ name, password }) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${name},password=${password}]`,
    ]),
  );
}

/** The pair that the tests of the embedded broker use as well: for localhost, signed by itself. */
export function pemOf(what: 'cert' | 'key'): string {
  return readFileSync(new URL(`../../emulator/broker/tls/localhost-${what}.pem`, import.meta.url), 'utf8');
}
