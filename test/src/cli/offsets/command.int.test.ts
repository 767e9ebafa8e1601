import { describe, expect, it } from 'vitest';
import { run } from '../../../command.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { account } from '../../account-consumer.js';
import { consumedTopic, until } from '../consumed-topic.js';

describe('busbar offsets reset', () => {
  it('prints the changes, respects a dry run, and rejects active groups', async () => {
    const { topic, send, consume, busbar } = await consumedTopic();
    const reset = (...args: string[]) =>
      busbar('offsets', 'reset', '--group', 'projection', '--topic', topic, ...args);
    const handled: string[] = [];
    const first = await consume('projection', (number) => void handled.push(number));
    await send(account('1', 'a'), account('2', 'a'));
    await until(() => handled.length === 2);
    const refused = await reset('--to', 'earliest');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^busbar: Group "projection" has a member: "busbar" \(.*\)\. Stop all of its/,
    );
    await first.stop();

    const dry = await reset('--to', 'earliest', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(/^PARTITION {2}FROM {2}TO\n0 .*\n1 .*\n.*\n$/);
    expect(dry.stdout).toContain(`Would reset group "projection" on topic "${topic}".\n`);
    expect(dry.stdout).toMatch(/^\d +2 +0$/m);
    const asked = JSON.parse((await reset('--to', 'earliest', '--dry-run', '--json')).stdout) as object;
    expect(asked).toMatchObject({ group: 'projection', topic, dryRun: true });
    expect(asked).toHaveProperty(
      'changes',
      expect.arrayContaining([{ partition: 0, from: expect.anything(), to: 0 }]),
    );
    const done = await reset('--to', 'earliest');
    expect(done.stdout).toBe(dry.stdout.replace('Would reset', 'Reset'));
    const second = await consume('projection', (number) => void handled.push(number));
    await until(() => handled.length === 4);
    expect(handled).toEqual(['1', '2', '1', '2']);
    await second.stop();

    const full = /^(\d) +2/m.exec(dry.stdout)![1]!;
    expect((await reset('--to', '1', '--partition', full)).stdout).toMatch(/^\d +2 +1$/m);
    expect((await reset('--to', 'latest')).stdout).toMatch(/^\d +1 +2$/m);
    expect((await reset('--to', '2000-01-01T00:00:00Z')).stdout).toMatch(/^\d +2 +0$/m);
    expect((await reset('--to', '2999-01-01T00:00:00+01:00')).stdout).toMatch(/^\d +0 +2$/m);
    expect(await reset('--to', '9', '--partition', full)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has offsets from 0 to 2, not 9/) as string,
    });
    expect(await reset('--to', 'earliest', '--partition', '7')).toMatchObject({ code: 2 });
    expect(await reset('--to', '2026-03-01')).toMatchObject({ code: 2 });
  });

  it.each([
    ['nosuch', 'earliest', 1, 'Kafka has no topic "nosuch". Correct the name.'],
    ['nosuch', 'first', 2, '"--to" takes earliest, latest, an offset or a time with its zone, e.g. 2026-'],
  ])('rejects a topic that does not exist, and a wrong target: %s %s', async (topic, to, code, message) => {
    const { busbar } = await consumedTopic();
    const finished = await busbar('offsets', 'reset', '--group', 'billing', '--topic', topic, '--to', to);
    expect(finished).toMatchObject({ code, stdout: '' });
    expect(finished.stderr).toMatch(/^busbar: [^\n]*\n$/);
    expect(finished.stderr).toContain(message);
  });

  it('warns of a group that Kafka does not know, until it has offsets', async () => {
    const { topic, busbar } = await consumedTopic();
    const reset = (...args: string[]) =>
      busbar('offsets', 'reset', '--group', topic, '--topic', topic, '--to', 'earliest', ...args);
    const warning = expect.stringContaining('no members and no offsets yet: check its name') as string;
    expect(await reset('--dry-run')).toMatchObject({ code: 0, stderr: warning });
    expect(await reset()).toMatchObject({ code: 0, stderr: warning });
    expect(await reset()).toMatchObject({ code: 0, stderr: '' });
  });

  it('names the group without permission', async () => {
    const broker = await brokerWithEvents();
    broker.faults.add({ on: 'FindCoordinator', error: 'GROUP_AUTHORIZATION_FAILED' });
    const { code, stderr } = await run('busbar', [
      ...['offsets', 'reset', '--group', 'projection', '--topic', 'events', '--to', 'earliest'],
      ...['--brokers', broker.bootstrapServers],
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^busbar: .* group "projection" \(GROUP_AUTHORIZATION_FAILED\)\. .*Check the permissions.*\n$/,
    );
  });
});
