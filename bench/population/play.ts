// A population in a child process that reports its cost after every virtual day.
import { openCatalogue } from 'busbar';
import { measured } from '../built.js';

/** The cost up to the end of a virtual day, counted from 1. */
export interface DayPlayed {
  readonly day: number;
  /** Number of events so far. */
  readonly events: number;
  /** Resident memory now and at most, in MiB. */
  readonly memory: number;
  readonly mostMemory: number;
  /** User CPU time so far, in seconds. */
  readonly cpu: number;
}

const [accounts, days] = process.argv.slice(2).map(Number) as [number, number];
const oneDay = 86_400_000;
const { defaultStart, encoder, Plan } = measured;
const plan = new Plan({ scenario: 'everyday', accounts, duration: days * oneDay });
const encode = encoder(openCatalogue(), plan.ordering);
let events = 0;
let day = 1;
for (const occurred of plan.play()) {
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
