import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../command.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';

const busbar = ({ bootstrapServers }: { bootstrapServers: string }, ...args: string[]) =>
  run('busbar', ['dead-letters', ...args, '--brokers', bootstrapServers]);

describe('the command line of busbar dead-letters', () => {
  it.each<[args: string[], code: number, message: RegExp]>([
    [['list', '--topic', 'other'], 1, /no topic "other\.dead-letter"/],
    [['list', '--topic', 'events', '--since', 'today'], 2, /"--since" takes a time with its zone/],
    [['list', '--topic', 'events', '--since', '2026-02-29T12:00Z'], 2, /not "2026-02-29T12:00Z"/],
    [['show', 'events.dead-letter'], 2, /"id" must be TOPIC\/PARTITION\/OFFSET, as list prints it, not/],
    [['show', 'events.dead-letter/0/7'], 1, /no dead letter at "events\.dead-letter\/0\/7"/],
    [
      ['list', '--topic', 'events', '--sasl', 'plain'],
      2,
      /Set BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD/,
    ],
    [['list', '--topic', 'events', '--sasl', 'nosuch'], 2, /"--sasl" must be "plain"/],
    [['lst'], 2, /Unknown command "lst". Did you mean "list"\?/],
    [['lst', '--topic', 'events'], 2, /Unknown command "lst". Did you mean "list"\?/],
    [['list', '--topic', 'events', '--topic', 'others'], 2, /"--topic" is given 2 times/],
    [['replay', '--topics', 'events'], 2, /Unknown option "--topics"|Missing required argument: topic/],
  ])('exits with an explanation: %j, code %i', async (args, code, message) => {
    const finished = await busbar(await brokerWithEvents(), ...args);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(message);
    expect(finished.stderr.split('\n')).toHaveLength(2);
  });

  it('names the flag that a broken connection may need', async () => {
    const list = ['dead-letters', 'list', '--topic', 'events', '--brokers', 'localhost:1'];
    const { code, stderr } = await run('busbar', list);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^busbar: Kafka at "localhost:1" could not be reached .* "--ssl" and "--sasl"\.\n$/,
    );
  });

  it('reads credentials from the environment', async () => {
    const broker = await brokerWithEvents({ sasl: { users: { operator: 'a-secret' } } });
    process.env['BUSBAR_KAFKA_USERNAME'] = 'operator';
    process.env['BUSBAR_KAFKA_PASSWORD'] = 'a-secret';
    onTestFinished(() => {
      delete process.env['BUSBAR_KAFKA_USERNAME'];
      delete process.env['BUSBAR_KAFKA_PASSWORD'];
    });
    const listed = await busbar(broker, 'list', '--topic', 'events', '--sasl', 'plain');
    expect(listed).toMatchObject({ code: 0, stdout: '0 dead letters in events.dead-letter\n' });
    process.env['BUSBAR_KAFKA_PASSWORD'] = 'wrong-secret';
    const refused = await busbar(broker, 'list', '--topic', 'events', '--sasl', 'plain');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/SASL/i);
    expect(refused.stderr).not.toContain('secret');
  });
});
