import { type Ended, run } from './command.js';
import type { Served } from './served.js';

const MESSAGES = 1000;
const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** kcat produces, consumes as a group, and resumes from its committed offsets. */
export async function kcat({ bootstrapServers, prefix }: Served): Promise<Ended> {
  const lines: string[] = [];
  for (const codec of CODECS) {
    const name = `${codec}: received = sent, in order, committed`;
    const problem = await roundTrip(bootstrapServers, `${prefix}-${codec}`, codec);
    lines.push(problem === undefined ? `ok ${name}` : `not ok ${name}: ${problem}`);
  }
  return { code: 0, output: lines.join('\n') };
}

async function roundTrip(servers: string, topic: string, codec: string): Promise<string | undefined> {
  const sent = Array.from({ length: MESSAGES }, (_, number) => message(number));
  const first = await produce(servers, topic, codec, sent);
  if (first.code !== 0) return first.output;
  const received = await consume(servers, topic);
  const problem = difference(sent, received);
  if (problem !== undefined) return problem;

  const later = [message(MESSAGES), message(MESSAGES + 1)];
  const second = await produce(servers, topic, codec, later);
  if (second.code !== 0) return second.output;
  const rest = await consume(servers, topic);
  return difference(later, rest);
}

function produce(servers: string, topic: string, codec: string, messages: readonly string[]): Promise<Ended> {
  const properties = ['-X', 'enable.idempotence=true', '-X', 'linger.ms=20'];
  return run('kcat', ['-P', '-b', servers, '-t', topic, '-z', codec, '-K', '\t', ...properties], {
    input: `${messages.join('\n')}\n`,
    timeoutMs: 30_000,
  });
}

/** Lines of partition, key and value, until the group has reached the end of every partition. */
async function consume(servers: string, topic: string): Promise<string[]> {
  const format = '%p\t%k\t%s\n';
  const { output } = await run(
    'kcat',
    ['-b', servers, '-X', 'auto.offset.reset=earliest', '-G', topic, '-q', '-e', '-f', format, topic],
    { timeoutMs: 30_000 },
  );
  return output.split('\n').filter((line) => /^\d+\t/.test(line));
}

function difference(sent: readonly string[], received: readonly string[]): string | undefined {
  const last = new Map<string, string>();
  for (const line of received) {
    const [partition = '', , value = ''] = line.split('\t');
    if (value <= (last.get(partition) ?? '')) return `out of order in partition ${partition}`;
    last.set(partition, value);
  }
  const contents = received.map((line) => line.slice(line.indexOf('\t') + 1)).sort();
  if (contents.length !== sent.length) return `received ${contents.length} of ${sent.length}`;
  const expected = [...sent].sort();
  return contents.every((one, index) => one === expected[index])
    ? undefined
    : 'a message is not as it was sent';
}

function message(number: number): string {
  return `key-${number % 17}\t${String(number).padStart(6, '0')} ${'compressible '.repeat(20)}`;
}
