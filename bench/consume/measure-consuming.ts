import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Measured, median } from '../measure.js';
import type { CandidateName } from './candidates.js';
import type { Task, TaskResult } from './client-process.js';
import { installedPeers } from './peers.js';

const messages = 200_000;
const rounds = 5;
/** Number of readings of the topic, 2,000,000 messages in total. */
const readings = 10;

/**
 * Measures consuming from the embedded broker: kafkajs with only JSON.parse, NestJS, and this library with everything it
 * does for an event. Each reading is a child process with a new group.
 */
export async function* measureConsuming(): AsyncGenerator<Measured> {
  const peers = installedPeers();
  const broker = fork(new URL('./broker-process.ts', import.meta.url), [String(messages)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ host, port }] = (await once(broker, 'message')) as [{ host: string; port: number }];
  try {
    yield* compare(`${host}:${port}`, peers);
  } finally {
    broker.disconnect();
    await once(broker, 'exit');
  }
}

async function* compare(broker: string, peers: string | undefined): AsyncGenerator<Measured> {
  const nest = await workingPeers(broker, peers);
  const names: readonly CandidateName[] = [
    ...(['eachMessage', 'dispatch', 'eachBatch', 'busbar', 'busbarAsync'] as const),
    ...nest,
  ];
  let groups = 0;
  const read = (candidate: CandidateName, concurrency: number, times = 1) =>
    runClient({
      ...{ candidate, concurrency, broker, peers, messages, rounds: times },
      groupId: `group-${groups++}`,
    });

  for (const concurrency of [1, 16]) {
    const results = new Map<CandidateName, TaskResult[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Alternately, each equally often before and after its neighbour.
      for (const name of round % 2 === 0 ? names : names.toReversed())
        results.get(name)!.push(await read(name, concurrency));
    }
    const over = (name: CandidateName, ours: CandidateName = 'busbar') =>
      median(results.get(ours)!.map(({ rate }, round) => rate / results.get(name)![round]!.rate));
    const of = (what: string) => `${what}, concurrency ${concurrency}`;
    yield { case: of('of eachMessage'), ratio: over('eachMessage'), target: 2.5, atLeast: true };
    const cpuOf = (ours: CandidateName) =>
      median(results.get(ours)!.map(({ cpu }, round) => cpu / results.get('eachMessage')![round]!.cpu));
    yield { case: of('CPU over eachMessage'), ratio: cpuOf('busbar'), target: 0.85 };
    yield { case: of('CPU of dispatch'), ratio: cpuOf('dispatch'), target: 1.15 };
    yield { case: of('of eachBatch'), ratio: over('eachBatch'), target: 0.9, atLeast: true };
    // Without a target: the cost of a promise per event.
    yield { case: of('of eachMessage, async'), ratio: over('eachMessage', 'busbarAsync') };
    if (nest.length > 0) yield { case: of('of NestJS'), ratio: over('nest'), target: 3, atLeast: true };
    const more = results.get('busbar')!.map(({ cpu }, round) => cpu - results.get('eachBatch')![round]!.cpu);
    yield { case: of('CPU over eachBatch'), ratio: median(more), target: 1.2, unit: 'us/message' };
    const rates = results.get('busbar')!.map(({ rate }) => rate / 1_000);
    yield { case: of('as a rate'), ratio: median(rates), unit: 'k/s' };
  }

  const { rss } = await read('busbar', 16, readings);
  const second = rss.slice(Math.floor(readings / 4), readings / 2);
  const last = rss.slice(-Math.ceil(readings / 4));
  yield { case: 'RSS, last quarter of 2,000,000', ratio: median(last) / median(second), target: 1.1 };
}

/** Returns the peers that work here. Others are named on standard error. */
async function workingPeers(broker: string, peers: string | undefined): Promise<readonly CandidateName[]> {
  let why = 'it cannot be installed';
  if (peers !== undefined) {
    const few = { messages: 1_000, rounds: 1, concurrency: 1, groupId: 'probe' };
    try {
      await runClient({ candidate: 'nest', broker, peers, ...few });
      return ['nest'];
    } catch (error) {
      why = (error as Error).message;
    }
  }
  process.stderr.write(`NOT RUN: consume, NestJS: ${why}\n`);
  return [];
}

async function runClient(task: Task): Promise<TaskResult> {
  const client = fork(new URL('./client-process.ts', import.meta.url), [JSON.stringify(task)], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(client, 'exit');
  const results = await Promise.race([
    once(client, 'message').then(([message]) => message as TaskResult),
    exited.then(([code]) => {
      throw new Error(`The consumer "${task.candidate}" ended with ${code} before it was done.`);
    }),
  ]);
  await exited;
  return results;
}
