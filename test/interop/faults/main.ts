/**
 * `npx tsx test/interop/faults/main.ts [--seed N] [--faults N] [--events N] [--minutes N] [--kinds A,B] [--embedded] [--keep FOLDER] [--verbose]`:
 * consumer processes, their network and their broker are ill-treated by a plan that the seed decides; afterwards every
 * event must have been handled or set aside, in the order of its key. Needs `npm run build`. Runs with further seeds
 * follow one another until so many faults and events are reached, or the time is over. `--keep` leaves what each member
 * did in that folder.
 */
import { parseArgs } from 'node:util';
import { Outcomes } from '../outcomes.js';
import { Unavailable } from '../provide.js';
import { embeddedBroker } from './embedded.js';
import { counted, type FaultReport, isFlawless, runFaults, shown } from './fault-run.js';
import { realKafka } from './kafka.js';
import { allKinds } from './plan.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '200' },
    events: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '25' },
    kinds: { type: 'string', default: allKinds.join(',') },
    keep: { type: 'string' },
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
  events: 0,
  faults: 0,
  lost: 0,
  misordered: 0,
  besides: 0,
  overtaken: 0,
  committed: 0,
};
const doubled: Record<string, number> = {};

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
      ...(values.keep === undefined ? {} : { keep: values.keep }),
      log: (line) => {
        if (values.verbose) console.log(`        ${(performance.now() / 1_000).toFixed(0)} s: ${line}`);
      },
    });
    if (isFlawless(report)) outcomes.passed(`faults with seed ${seed}: ${shown(report)}`);
    else outcomes.failed(`faults with seed ${seed}: ${shown(report)}`, `\n  ${report.examples.join('\n  ')}`);
    add(report);
  } finally {
    await broker.stop();
  }
}
const times = Object.values(doubled).reduce((sum, count) => sum + count, 0);
console.log(
  `faults: ${total.runs} runs, ${total.events} events, ${total.faults} faults: ${total.lost} lost, ` +
    `${total.misordered} misordered, ${total.besides} of one key at once, ${total.committed} again after their commit; ` +
    `${times} doubled (${counted(doubled)}); ${total.overtaken} overtaken while an evicted or abandoned handler still ran`,
);
outcomes.summarise();

function add(report: FaultReport): void {
  total.runs++;
  total.events += report.sent;
  for (const count of Object.values(report.faults)) total.faults += count;
  for (const each of ['lost', 'misordered', 'besides', 'overtaken', 'committed'] as const)
    total[each] += report[each];
  const causes = { ...report.doubled, 'without a reason': report.unexplained };
  for (const [reason, count] of Object.entries(causes)) doubled[reason] = (doubled[reason] ?? 0) + count;
}

async function startBroker() {
  try {
    return await (values.embedded ? embeddedBroker() : realKafka());
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcomes.notRun('faults on Apache Kafka', error.message);
    return undefined;
  }
}
