// One candidate in a child process. Its argument is a task in JSON; it reports the cost. With `rounds`, it repeats the task
// and reports its memory after each round and a garbage collection.
import { candidates, type CandidateName, type Target } from './candidates.js';

export interface Task extends Target {
  readonly candidate: CandidateName;
  readonly messages: number;
  readonly rounds: number;
}

export interface TaskResult {
  /** Messages per second, and microseconds of CPU time per message, without the first quarter (warm-up). */
  readonly rate: number;
  readonly cpu: number;
  /** Resident memory after each round, in bytes. */
  readonly rss: readonly number[];
}

const { candidate, messages, rounds, ...target } = JSON.parse(process.argv[2] ?? '{}') as Task;
const rss: number[] = [];
let cost: Omit<TaskResult, 'rss'> = { rate: 0, cpu: 0 };
for (let round = 0; round < rounds; round++) {
  cost = await consume(`${target.groupId}-${round}`);
  // The process has the flag --expose-gc.
  (globalThis.gc as () => void)();
  rss.push(process.memoryUsage().rss);
}
process.send?.({ ...cost, rss } satisfies TaskResult);
if (process.connected) process.disconnect();

async function consume(groupId: string): Promise<Omit<TaskResult, 'rss'>> {
  const warmUp = messages / 4;
  let count = 0;
  let began = 0;
  let cpu = process.cpuUsage();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const stop = await candidates[candidate]({ ...target, groupId }, () => {
    count++;
    if (count === warmUp) {
      began = performance.now();
      cpu = process.cpuUsage();
    }
    if (count === messages) finish();
  });
  await finished;
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await stop();
  const measured = messages - warmUp;
  return { rate: measured / seconds, cpu: (user + system) / measured };
}
