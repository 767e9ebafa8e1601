import { describe, expect, it } from 'vitest';
import { cases } from '../../../cases.js';
import { type Finished, start } from '../../../command.js';
import { account } from '../../account-consumer.js';
import { type ConsumedTopic, consumedTopic, until } from '../consumed-topic.js';

describe('busbar dead-letters', () => {
  it('lists, shows and replays dead letters once, without payloads', async () => {
    const { topic, send, consume, busbar } = await consumedTopic();
    const handled: string[] = [];
    let fails = true;
    const billing = await consume(
      'billing',
      (number) => {
        if (fails && number.startsWith('bad'))
          throw Object.assign(new TypeError(`no ${number}`), { code: 'ECONNREFUSED' });
        handled.push(number);
      },
      { afterDeadLetter: 'hold-key' },
    );
    const mailing = await consume('mailing', () => undefined);
    await send(account('bad-1', 'a'), account('2', 'a'), account('3', 'b'));
    await until(() => billing.counts.deadLettered === 2 && mailing.counts.handled === 3);

    const listed = await busbar('dead-letters', 'list', '--topic', topic);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout.replaceAll(topic, 'TOPIC')).toMatch(
      /^ID +DEAD-LETTERED .*\nTOPIC\.dead-letter\/\d\/0 .* handler-failed +TypeError ECONNREFUSED +test\/src\/cli\/dead-letters\/command\.int\.test\.ts:\d+:\d+ +account\.created-v1 +TOPIC\/\d\/0 +billing .* 1 +no\n.* held-key +- +- .* 0 +no\n2 dead letters in TOPIC\.dead-letter\n$/,
    );
    const none = await busbar('dead-letters', 'list', '--topic', topic, '--only', 'account.updated-v1');
    expect(none.stdout).toBe(`0 of 2 dead letters in ${topic}.dead-letter\n`);
    const at = expect.stringMatching(/^test\/src\/cli\/.*\.ts:\d+:\d+$/) as string;
    const error = { class: 'TypeError', cause: null, code: 'ECONNREFUSED', at };
    const json = JSON.parse((await busbar('dead-letters', 'list', '--topic', topic, '--json')).stdout) as {
      id: string;
    }[];
    expect(json).toMatchObject([
      { code: 'handler-failed', group: 'billing', attempts: 1, replayed: false, origin: { topic }, error },
      { code: 'held-key', replayed: false, error: null },
    ]);

    const { id } = json[0]!;
    const shown = await busbar('dead-letters', 'show', id);
    expect(shown.stdout).toMatch(
      /^code +handler-failed\n[^]*\nerror +TypeError\nerror code +ECONNREFUSED\nthrown at +test\/src\/cli\/.*:\d+:\d+\n[^]*headers\n {2}event-type +account\.created\n/,
    );
    for (const { stdout } of [listed, shown]) expect(stdout).not.toContain('bad-1');
    const withPayload = await busbar('dead-letters', 'show', id, '--payload');
    expect(withPayload.stdout).toContain('"account_number":"bad-1"');

    const asJson = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await busbar('dead-letters', ...args, '--json')).stdout);
    const shownJson = await asJson('show', id);
    expect(shownJson).toMatchObject({
      id,
      code: 'handler-failed',
      headers: { 'event-type': 'account.created' },
    });
    expect(JSON.stringify(shownJson)).not.toContain('bad-1');
    expect(await asJson('show', id, '--payload')).toHaveProperty(
      'payload',
      expect.stringContaining('"account_number":"bad-1"'),
    );
    expect(await asJson('replay', '--topic', topic, '--dry-run')).toMatchObject({
      to: topic,
      letters: [{ id, event: 'account.created-v1', group: 'billing' }, { group: 'billing' }],
      replayedBefore: 0,
      discardedBefore: 0,
    });

    const dry = await busbar('dead-letters', 'replay', '--topic', topic, '--dry-run');
    expect(dry.stdout).toContain(`\nWould replay 2 to ${topic}; 0 had been replayed before.\n`);
    expect(handled).toEqual(['3']);

    fails = false;
    const replayed = await busbar('dead-letters', 'replay', '--topic', topic);
    expect(replayed).toEqual({
      code: 0,
      stdout: `Replayed 2 of 2 to ${topic}; 0 had been replayed before.\n`,
      stderr: '',
    });
    await until(() => handled.length === 3 && mailing.counts.skipped['other-group'] === 2);
    expect(handled).toEqual(['3', 'bad-1', '2']);
    expect(mailing.counts.handled).toBe(3);
    await send(account('4', 'a'));
    await until(() => handled.length === 4);

    expect(await asJson('replay', '--topic', topic)).toEqual({
      to: topic,
      replayed: 0,
      selected: 0,
      replayedBefore: 2,
      discardedBefore: 0,
    });
    const again = await busbar('dead-letters', 'replay', '--topic', topic);
    expect(again.stdout).toBe(`Replayed 0 of 0 to ${topic}; 2 had been replayed before.\n`);
    expect((await busbar('dead-letters', 'list', '--topic', topic)).stdout).toMatch(/ 1 +yes\n.* 0 +yes\n/);
  });

  it.each(['replay', 'discard'])('rejects a %s of a dead letter that does not exist', async (command) => {
    const { topic, consume, send, busbar } = await consumedTopic();
    const billing = await consume('billing', () => {
      throw new Error('no tariff');
    });
    await send(account('1', 'a'));
    await until(() => billing.counts.deadLettered === 1);
    const id = `${topic}.dead-letter/0/7`;
    expect(await busbar('dead-letters', command, '--topic', topic, '--id', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `busbar: Kafka has no dead letter of topic "${topic}" at "${id}". See busbar dead-letters list.\n`,
    });
  });

  it('refuses the id of a dead letter with another criterion, or with another topic', async () => {
    const { topic, consume, send, busbar } = await consumedTopic();
    const billing = await consume('billing', () => {
      throw new Error('no tariff');
    });
    await send(account('1', 'a'));
    await until(() => billing.counts.deadLettered === 1);
    const letters = `${topic}.dead-letter`;
    const id = `${letters}/0/0`;
    for (const command of ['discard', 'replay']) {
      const args = ['dead-letters', command, '--dead-letter-topic', letters, '--id', id];
      expect(await busbar(...args, '--topic', topic, '--group', 'billing')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Options "--id" and "--group" exclude each other.') as string,
      });
      expect(await busbar(...args, '--topic', 'other')).toEqual({
        code: 1,
        stdout: '',
        stderr: `busbar: Kafka has no dead letter of topic "other" at "${id}". See busbar dead-letters list.\n`,
      });
    }
  });

  it('suggests the event that --only may mean', async () => {
    const { topic, consume, send, busbar } = await consumedTopic();
    const billing = await consume('billing', () => {
      throw new Error('no tariff');
    });
    await send(account('1', 'a'));
    await until(() => billing.counts.deadLettered === 1);
    for (const command of [['list'], ['list', '--json'], ['replay'], ['replay', '--dry-run'], ['discard']]) {
      const only = (name: string) => busbar('dead-letters', ...command, '--topic', topic, '--only', name);
      for (const [name, hint] of [
        ['acount.created-v1', 'Did you mean "account.created-v1"'],
        ['account.created', 'Did you mean "account.created-v1"'],
        ['handler-failed', 'Correct the name.'],
      ] as const) {
        const { code, stdout, stderr } = await only(name);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(
          `: No dead letter and no event of the catalogue has the name "${name}". ${hint}`,
        );
        expect(stderr.split('\n')).toHaveLength(2);
      }
      expect(await only('account.updated-v1')).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('checks in a dry run what the replay needs', async () => {
    const { topic, consume, send, admin, busbar } = await consumedTopic();
    const billing = await consume('billing', () => {
      throw new Error('no tariff');
    });
    await send(account('1', 'a'));
    await until(() => billing.counts.deadLettered === 1);
    const replay = (...args: string[]) => busbar('dead-letters', 'replay', '--topic', topic, ...args);
    const refused = await replay('--to', 'nosuch');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('Kafka has no topic "nosuch" to replay to. Create it.');
    const { stderr, code } = refused;
    expect(await replay('--to', 'nosuch', '--dry-run')).toEqual({ stdout: '', stderr, code });
    const configEntries = [{ name: 'cleanup.policy', value: 'delete' }];
    await admin.createTopics({ topics: [{ topic: `${topic}.dead-letter.replayed`, configEntries }] });
    const discard = () =>
      busbar('dead-letters', 'discard', '--topic', topic, '--group', 'billing', '--dry-run');
    for (const dry of [await replay('--dry-run'), await discard()]) {
      expect(dry).toMatchObject({ code: 2, stdout: '' });
      expect(dry.stderr).toContain('has cleanup.policy=delete, which would delete marks');
    }
  });

  it('rejects an unknown group', async () => {
    const { topic, consume, send, busbar } = await consumedTopic();
    const billing = await consume('billing', () => undefined);
    await send(account('1', 'a'));
    await until(() => billing.counts.handled === 1);
    for (const command of [
      ['list'],
      ['replay'],
      ['replay', '--dry-run'],
      ['replay', '--to', 'other'],
      ['discard'],
    ]) {
      const change = ['dead-letters', ...command, '--topic', topic, '--group'];
      expect(await busbar(...change, 'biling')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'busbar: Kafka has no consumer group "biling", and no selected dead letter belongs to it. Correct the name.\n',
      });
      expect(await busbar(...change, 'billing')).toMatchObject({ code: 0, stderr: '' });
    }
    await billing.stop();
    const stopped = await busbar('dead-letters', 'replay', '--topic', topic, '--group', 'billing');
    expect(stopped.stdout).toMatch(/^Replayed 0 of 0/);
  });

  it('shows message and stack of an error, but does not list them', async () => {
    const { topic, send, consume, busbar } = await consumedTopic();
    const billing = await consume(
      'billing',
      (number) => {
        throw new TypeError(`no \u001b[31m${number}`, { cause: new RangeError('why') });
      },
      { deadLetterDetails: 'stack' },
    );
    await send(account('bad-1'));
    await until(() => billing.counts.deadLettered === 1);
    const listed = await busbar('dead-letters', 'list', '--topic', topic, '--json');
    const [{ id }] = JSON.parse(listed.stdout) as [{ id: string }];
    expect(listed.stdout).not.toContain('bad-1');
    const { stdout } = await busbar('dead-letters', 'show', id);
    expect(stdout).toMatch(/\nerror +TypeError, caused by RangeError\nerror code +-\n/);
    expect(stdout).toMatch(/\nerror message +no {2}\[31mbad-1; caused by: why\n/);
    expect(stdout).toMatch(
      /\nstack\n {2}TypeError: no {2}\[31mbad-1\n {6}at .*command\.int\.test\.ts:\d+:\d+/,
    );
    expect(stdout).toMatch(/\n {2}caused by: RangeError: why\n/);
  });

  it('holds a key across restarts until its replayed records are handled', async () => {
    const { topic, send, consume, busbar } = await consumedTopic();
    const handled: string[] = [];
    const first = await consume(
      'billing',
      () => {
        throw new TypeError('no');
      },
      { afterDeadLetter: 'hold-key' },
    );
    await send(account('1', 'a'));
    await until(() => first.counts.deadLettered === 1);
    await first.stop();
    await send(account('2', 'a'), account('3', 'b'));
    const second = await consume('billing', (number) => void handled.push(number), {
      afterDeadLetter: 'hold-key',
    });
    await until(() => second.counts.deadLettered === 1 && second.counts.handled === 1);
    expect(handled).toEqual(['3']);
    await second.stop();
    // Without a consumer: the marks are written before the records are handled.
    await send(account('4', 'a'));
    await busbar('dead-letters', 'replay', '--topic', topic);
    const third = await consume('billing', (number) => void handled.push(number), {
      afterDeadLetter: 'hold-key',
    });
    await until(() => third.counts.handled === 2 && third.counts.deadLettered === 1);
    await busbar('dead-letters', 'replay', '--topic', topic);
    await until(() => third.counts.handled === 3);
    expect(handled).toEqual(['3', '1', '2', '4']);
  });

  it.each((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).slice(0, cases(1, 3)))(
    'ends after the current record at %s',
    async (stop) => {
      const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
      const from = await withDeadLetters(200);
      const { code, stdout, stderr } = await replayUntil(from, stop);
      expect({ code, stderr }).toEqual({
        code: exitCodes[stop],
        stderr: 'busbar: interrupted. Run the command again for the others.\n',
      });
      const count = Number(/^Replayed (\d+) of 200 to .*; 0 had/.exec(stdout)?.[1]);
      expect(count).toBe(await from.sizeOf(marksOf(from)));
      const rest = await from.busbar('dead-letters', 'replay', '--topic', from.topic, '--dry-run');
      expect(rest.stdout).toContain(`Would replay ${200 - count} to ${from.topic}; ${count} had`);
    },
  );

  it('resumes after being killed, with at most one duplicate', async () => {
    const from = await withDeadLetters(200);
    await replayUntil(from, 'SIGKILL');
    const marked = await from.sizeOf(marksOf(from));
    const written = (await from.sizeOf(from.topic)) - 200;
    expect(written - marked).toBeOneOf([0, 1]);
    expect(written).toBeLessThan(200);
    const rest = await from.busbar('dead-letters', 'replay', '--topic', from.topic);
    expect(rest.stdout).toBe(
      `Replayed ${200 - marked} of ${200 - marked} to ${from.topic}; ${marked} had been replayed before.\n`,
    );
    const handled: string[] = [];
    const billing = await from.consume('billing', (number, id) => void handled.push(`${id}: ${number}`));
    await until(() => billing.counts.handled === 200 + written - marked);
    // One that went twice is there twice, and nothing else differs from what was sent.
    expect([...new Set(handled)].toSorted()).toEqual(
      Array.from({ length: 200 }, (_, n) => `event-${n}: ${n}`).toSorted(),
    );
    const again = await from.busbar('dead-letters', 'replay', '--topic', from.topic);
    expect(again.stdout).toBe(`Replayed 0 of 0 to ${from.topic}; 200 had been replayed before.\n`);
  });
});

const marksOf = ({ topic }: ConsumedTopic) => `${topic}.dead-letter.replayed`;

/** Creates a topic whose records `billing` has dead-lettered. */
async function withDeadLetters(count: number): Promise<ConsumedTopic> {
  const from = await consumedTopic();
  const consumer = await from.consume('billing', () => {
    throw new TypeError('no');
  });
  const accounts = Array.from({ length: count }, (_, n) => account(String(n), `key-${n % 20}`));
  await from.send(
    ...accounts.map((each, n) => ({
      ...each,
      value: each.value.replace(/"id":"[^"]*"/, `"id":"event-${n}"`),
    })),
  );
  await until(() => consumer.counts.deadLettered === count);
  await consumer.stop();
  return from;
}

/** Ends a replay when it is under way: its first mark says so. */
async function replayUntil(from: ConsumedTopic, signal: NodeJS.Signals): Promise<Finished> {
  const replay = start('busbar', [
    ...['dead-letters', 'replay', '--topic', from.topic],
    ...['--brokers', from.brokers],
  ]);
  while ((await from.sizeOf(marksOf(from))) === 0);
  return replay.stop(signal);
}
