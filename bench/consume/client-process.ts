// One candidate in a process of its own. Told what to consume as JSON, it tells what that took; with `rounds`, it does so
// several times over and tells its memory after each, collected.
import { candidates, type CandidateName, type Target } from './candidates.js';

export interface Task extends Target {
  readonly candidate: CandidateName;
  readonly messages: number;
  readonly rounds: number;
}

export interface Told {
  /** Messages a second, and microseconds of processor time for each, after a first quarter to warm up. */
  readonly rate: number;
  readonly cpu: number;
  /** After each round. */
  readonly rss: readonly number[];
}

const { candidate, messages, rounds, ...target } = JSON.parse(process.argv[2] ?? '{}') as Task;
const rss: number[] = [];
let told: Omit<Told, 'rss'> = { rate: 0, cpu: 0 };
for (let round = 0; round < rounds; round++) {
  told = await consume(`${target.groupId}-${round}`);
  // Started with --expose-gc.
  (globalThis.gc as () => void)();
  rss.push(process.memoryUsage().rss);
}
process.send?.({ ...told, rss } satisfies Told);
if (process.connected) process.disconnect();

async function consume(groupId: string): Promise<Omit<Told, 'rss'>> {
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
