import { createConsumer, type PolicyAction, type Problem, silentLogger } from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import { metrics } from 'busbar/operations';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../cases.js';
import { account, catalogue, message, playOut, setUp } from './account-consumer.js';
import { accountCreated, documentIssuedV1, envelope, headersOf } from './records.js';

const secret = 'Ada-5EC7E7-Lovelace';

/** Records with the secret, each of which fails in another way. */
const records = {
  'a handler that throws it': account(secret),
  'a field of another type': message({ ...accountCreated, payload: { account_number: [secret] } }),
  'a missing field': message({ ...accountCreated, payload: { account_user_emails: [secret] } }),
  'text that is not JSON': { key: secret, value: `{"name": "${secret}"`, headers: headersOf(accountCreated) },
  'an unknown event': message({ ...accountCreated, type: 'account.renamed', payload: { name: secret } }),
  'an unknown version': message({ ...accountCreated, version: 'v9', payload: { name: secret } }),
  'another id': { ...account('A-1'), value: envelope(accountCreated, secret) },
} as const;

it('no payload value reaches logs, metrics, health or causes of dead letters', async () => {
  const meter = await metrics();
  const clock = virtualClock();
  const fields = fc.constantFrom('account_number', 'account_user_emails', 'name');
  const payloads = fc.sample(fc.dictionary(fields, withSecret(), { minKeys: 1 }), cases(50, 2_000));
  const random = payloads.map((payload) => message({ ...accountCreated, payload }));
  const { transport, run, log } = setUp(
    (number) => {
      throw new Error(`cannot store ${number}`, { cause: { detail: number } });
    },
    { retry: { attempts: 2 }, strict: true, catalogue },
  );
  transport.send(...Object.values(records), ...random);
  transport.end();
  const running = await run({ clock, observer: meter });
  await playOut(running, clock);
  const causes = transport.deadLetters.map(({ cause }) => cause);
  // Unknown events and versions have no dead letter.
  expect(causes).toHaveLength(Object.keys(records).length - 2 + random.length);
  const texts = [...log.lines, await meter.text(), JSON.stringify(running.health()), JSON.stringify(causes)];
  expect(texts.join('\n')).toContain('/account_number');
  expect(texts.filter((text) => text.includes('5EC7E7'))).toEqual([]);
});

it('no payload value reaches observers or policies with the name of an event', async () => {
  const names: unknown[] = [];
  const policy = ({ event }: Problem): PolicyAction => {
    names.push(event);
    return 'dead-letter';
  };
  const consumer = createConsumer({
    policies: { unknownEvents: policy, invalidEvents: policy },
    observer: {
      drifted: ({ event }) => names.push(event),
      settled: (_, settlement) => settlement.outcome === 'dead-lettered' && names.push(settlement.event),
    },
    logger: silentLogger,
  });
  consumer.upcast('billing.billing_document.issued', 'v1', 'v2', () => {
    throw new Error(secret);
  });
  consumer.on('billing.billing_document.issued', 'v2', () => undefined);
  // Without headers, the name is decoded with the payload.
  const unknown = { ...accountCreated, type: 'account.renamed', payload: { name: secret } };
  const transport = memory({
    records: [unknown, documentIssuedV1].map((each) => ({ value: envelope(each) })),
  });
  transport.end();
  await (await consumer.run(transport)).finished;
  const [renamed, issued] = [unknown, documentIssuedV1].map(({ type, version }) => ({ type, version }));
  expect(names).toEqual([renamed, renamed, renamed, issued, issued]);
});

/** A value of any type that contains the secret. */
function withSecret() {
  return fc.oneof(
    fc.constant(secret),
    fc.constant([secret]),
    fc.constant({ name: secret }),
    fc.string({ maxLength: 5 }).map((text) => text + secret),
  );
}
