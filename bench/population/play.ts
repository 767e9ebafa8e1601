// A population in a process of its own, which tells after every virtual day what it has cost.
import { openCatalogue } from 'busbar';
import { measured } from '../built.js';

/** After a virtual day, counted from 1. */
export interface DayPlayed {
  readonly day: number;
  /** So far. */
  readonly events: number;
  /** Resident memory, in MiB: now, and the most there was so far. */
  readonly memory: number;
  readonly mostMemory: number;
  /** User time of the process so far, in seconds. */
  readonly cpu: number;
}

const [accounts, days] = process.argv.slice(2).map(Number) as [number, number];
const oneDay = 86_400_000;
const { defaultStart, encoder, planRun } = measured;
const { ordering, occurrences } = planRun({ scenario: 'everyday', accounts, duration: days * oneDay });
const encode = encoder(openCatalogue(), ordering);
let events = 0;
let day = 1;
for (const occurred of occurrences) {
  for (; occurred.at >= defaultStart + day * oneDay; day++) tell();
  events += (await encode(occurred)).length;
}
tell();
process.disconnect();

function tell(): void {
  const mebibyte = 2 ** 20;
  process.send?.({
    day,
    events,
    memory: process.memoryUsage.rss() / mebibyte,
    mostMemory: process.resourceUsage().maxRSS / 1024,
    cpu: process.cpuUsage().user / 1e6,
  } satisfies DayPlayed);
}
