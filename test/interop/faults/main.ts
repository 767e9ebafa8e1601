/**
 * `npx tsx test/interop/faults/main.ts [--seed N] [--faults N] [--events N] [--minutes N] [--kinds A,B] [--embedded] [--verbose]`:
 * consumer processes, their network and their broker are ill-treated by a plan that the seed decides; afterwards every
 * event must have been handled or set aside, in the order of its key. Needs `npm run build`. Runs with further seeds
 * follow one another until so many faults and events are reached, or the time is over.
 */
import { parseArgs } from 'node:util';
import { Outcomes } from '../outcomes.js';
import { Unavailable } from '../provide.js';
import { embeddedBroker } from './embedded.js';
import { isFlawless, runFaults, shown } from './fault-run.js';
import { realKafka } from './kafka.js';
import { allKinds } from './plan.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '200' },
    events: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '25' },
    kinds: { type: 'string', default: allKinds.join(',') },
    embedded: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

/** Each run has a broker of its own, so that what one leaves behind explains nothing in the next. */
const faultsPerRun = 25;
const wanted = { faults: Number(values.faults), events: Number(values.events) };
const runs = Math.ceil(wanted.faults / faultsPerRun);
const end = performance.now() + Number(values.minutes) * 60_000;
const outcomes = new Outcomes();
const total = {
  runs: 0,
  faults: 0,
  events: 0,
  lost: 0,
  misordered: 0,
  unexplained: 0,
  explained: 0,
  overtaken: 0,
};

for (let run = 0; run < runs && performance.now() < end; run++) {
  const seed = Number(values.seed) + run;
  const broker = await startBroker();
  if (broker === undefined) break;
  try {
    const report = await runFaults({
      seed,
      faults: Math.ceil(wanted.faults / runs),
      events: Math.ceil(wanted.events / runs),
      kinds: allKinds.filter((kind) => values.kinds.split(',').includes(kind)),
      broker,
      log: (line) => {
        if (values.verbose) console.log(`        ${line}`);
      },
    });
    if (isFlawless(report)) outcomes.passed(`faults with seed ${seed}: ${shown(report)}`);
    else outcomes.failed(`faults with seed ${seed}: ${shown(report)}`, `\n  ${report.examples.join('\n  ')}`);
    total.runs++;
    total.events += report.sent;
    for (const count of Object.values(report.faults)) total.faults += count;
    for (const each of ['lost', 'misordered', 'unexplained', 'explained', 'overtaken'] as const)
      total[each] += report[each];
  } finally {
    await broker.stop();
  }
}
console.log(
  `faults: ${total.runs} runs, ${total.events} events, ${total.faults} faults, ${total.lost} lost, ` +
    `${total.unexplained + total.explained} doubled (${total.unexplained} without a reason), ${total.misordered} misordered, ` +
    `${total.overtaken} overtaken`,
);
outcomes.summarise();

async function startBroker() {
  try {
    return await (values.embedded ? embeddedBroker() : realKafka());
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcomes.notRun('faults on Apache Kafka', error.message);
    return undefined;
  }
}
