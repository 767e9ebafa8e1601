import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { KafkaSasl } from '../../../../src/transports/kafka/index.js';
import { operator } from '../../../interop/kafka/secured-listener.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { opened } from './opened.js';
import { credentials, mechanisms, securedTopic, unsignedToken } from './secured-kafka.js';

describe.each(mechanisms)('kafka() over TLS, authenticated by %s', (mechanism) => {
  it('consumes, commits and dead-letters', async () => {
    const topic = await securedTopic();
    await topic.send('one', 'two');
    const { collected, subscription } = await topic.open({ sasl: credentials(mechanism) });
    const [first] = await collected.received(2);
    const cause = { code: 'invalid-event', message: 'It is invalid.', attempts: 0 };
    await subscription.deadLetter!(first!, cause);
    subscription.commit(collected.batches[0]!.partition, 2);
    await subscription.stop();
    expect(await topic.committed()).toBe(2);
    expect(await topic.sizeOf(`${topic.name}.dead-letter`)).toBe(1);
  });

  it('reports a failed login without the password', async () => {
    const topic = await securedTopic();
    const error: unknown = await topic.open({ sasl: wrong(mechanism) }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'not-authorized',
      message: expect.stringMatching(new RegExp(`"${topic.address}".*"${mechanism}"`)) as string,
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/guessed|operators-secret|eyJ/);
  });
});

describe('kafka() over TLS', () => {
  it.runIf(mechanisms.includes('oauthbearer'))('requests another token when it received none', async () => {
    const topic = await securedTopic();
    let asked = 0;
    const token = () =>
      ++asked === 1
        ? Promise.reject(new Error('private words'))
        : Promise.resolve(unsignedToken(operator.name));
    await topic.open({ sasl: { mechanism: 'oauthbearer', token } });
    expect(asked).toBeGreaterThan(1);
    for (const [never, reason] of [
      [() => Promise.reject(new TypeError('private words')), 'it failed with TypeError'],
      [() => Promise.resolve(''), 'it returned no string'],
    ] as const) {
      await expect(topic.open({ sasl: { mechanism: 'oauthbearer', token: never } })).rejects.toMatchObject({
        code: 'connection-failed',
        message: expect.stringContaining(`"token" of "sasl" returned no token: ${reason}`) as string,
      });
    }
  });

  it('uses the current password of a reused options object', async () => {
    const topic = await securedTopic();
    const sasl = credentials('plain');
    const { subscription } = await topic.open({ sasl });
    await subscription.stop();
    const changed = { ...sasl, password: 'guessed' } as KafkaSasl;
    await expect(topic.open({ sasl: changed })).rejects.toMatchObject({ code: 'not-authorized' });
    expect(Object.keys(sasl)).toEqual(['mechanism', 'username', 'password']);
  });

  it('names the mechanism that the brokers do not have', async () => {
    const { bootstrapServers } = await brokerWithEvents({
      sasl: { users: { operator: 'operators-secret' } },
    });
    const sasl = credentials('scram-sha-256');
    await expect(opened({ bootstrapServers }, { sasl })).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringMatching(/SASL "scram-sha-256".*\(UNSUPPORTED_SASL_MECHANISM\)/) as string,
    });
  });

  it('advises what to check when the brokers expect no login', async () => {
    const { bootstrapServers } = await brokerWithEvents();
    await expect(opened({ bootstrapServers }, { sasl: credentials('plain') })).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringMatching(
        /\(ILLEGAL_SASL_STATE\)\. Its port may expect no login, or the token may be broken\./,
      ) as string,
    });
  });

  it('points to "sasl" when the brokers end a connection without credentials', async () => {
    const topic = await securedTopic();
    await expect(topic.open({})).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(/\(Closed connection\)\. Check .* and "sasl"\.$/) as string,
    });
  });

  it('names the reason for which a certificate is rejected', async () => {
    const topic = await securedTopic();
    await expect(topic.open({ sasl: credentials('plain'), ssl: true })).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(/self-signed certificate.*"ssl"/) as string,
    });
  });
});

/** Credentials that the broker rejects. */
function wrong(mechanism: KafkaSasl['mechanism']): KafkaSasl {
  return mechanism === 'oauthbearer'
    ? { mechanism, token: () => Promise.resolve(unsignedToken(operator.name, -5)) }
    : { ...credentials(mechanism, { name: operator.name, password: 'guessed' }) };
}
