import { type Ended, run } from './command.js';
import type { Served } from './served.js';
import { verdictLine } from './verdict-line.js';

const MESSAGES = 2000;

/** The verifiable producer and consumer of Kafka's own system tests. */
export async function verifiable(jars: string, { bootstrapServers, prefix }: Served): Promise<Ended> {
  const topic = `${prefix}-none`;
  const java = (tool: string, ...args: string[]): Promise<Ended> =>
    run('java', ['-cp', `${jars}/*`, `org.apache.kafka.tools.${tool}`, '--topic', topic, ...args], {
      timeoutMs: 60_000,
    });
  const server = ['--bootstrap-server', bootstrapServers];
  const produced = await java('VerifiableProducer', ...server, '--max-messages', String(MESSAGES));
  const consumed = await java(
    'VerifiableConsumer',
    ...[...server, '--group-id', topic, '--reset-policy', 'earliest', '--max-messages', String(MESSAGES)],
  );
  const acked = events(produced, 'producer_send_success').length;
  const received = sum(events(consumed, 'records_consumed'));
  const commits = events(consumed, 'offsets_committed');
  const committed = new Map<unknown, number>();
  for (const { offsets } of commits) {
    for (const { partition, offset } of offsets ?? []) committed.set(partition, offset);
  }
  const refused = commits.filter(({ success }) => success !== true).length;
  return {
    code: 0,
    output: [
      verdictLine('the producer: all acknowledged', acked === MESSAGES, `${acked} of ${MESSAGES}`),
      verdictLine('the consumer: received = sent', received === MESSAGES, `${received} of ${MESSAGES}`),
      verdictLine(
        'the consumer: every commit was taken',
        commits.length > 0 && refused === 0,
        `${refused} refused`,
      ),
      verdictLine(
        'the consumer: committed = received',
        [...committed.values()].reduce((total, offset) => total + offset, 0) === MESSAGES,
        JSON.stringify([...committed]),
      ),
    ].join('\n'),
  };
}

interface ToolEvent {
  readonly name?: string;
  readonly count?: number;
  readonly success?: boolean;
  readonly offsets?: readonly { readonly partition: number; readonly offset: number }[];
}

function events({ output }: Ended, name: string): ToolEvent[] {
  return output
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as ToolEvent)
    .filter((event) => event.name === name);
}

function sum(events: readonly ToolEvent[]): number {
  return events.reduce((total, { count = 0 }) => total + count, 0);
}
