/**
 * `npm run test:faults [-- OPTION...]`: injects faults into consumer processes, their network and their broker by a seeded
 * plan. Afterwards every event must have been handled or dead-lettered, in the order of its key. Runs with
 * further seeds follow one another until all events and faults are done.
 *
 *     --part i/n         every n-th of the runs; all
 *     --seed N           of the first run; 1
 *     --faults N         in all; 200
 *     --events N         in all; 1,000,000
 *     --minutes N        when no further run is begun, which counts as failed; 60
 *     --kinds A,B        only these faults; all
 *     --rebalance A,B    how the members rebalance, in turn: eager, cooperative; of each run another of both and a mixture
 *     --embedded         on the embedded broker instead of Apache Kafka
 *     --inbox postgres   handlers write through the inbox, into a PostgreSQL server that is started for it
 *     --keep FOLDER      leaves there what each member did
 *     --verbose          prints each fault
 */
import { parseArgs } from 'node:util';
import { Outcomes } from '../outcomes.js';
import { partOf } from '../../part.js';
import { startPostgres } from '../postgres/start-postgres.js';
import { Unavailable } from '../provide.js';
import { embeddedBroker } from './embedded.js';
import { runFaults } from './fault-run.js';
import { realKafka } from './kafka.js';
import { allKinds } from './plan.js';
import { isFlawless, shown, Totals } from './report.js';

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '200' },
    events: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '60' },
    kinds: { type: 'string', default: allKinds.join(',') },
    rebalance: { type: 'string' },
    embedded: { type: 'boolean', default: false },
    inbox: { type: 'string' },
    keep: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
if (values.inbox !== undefined && values.inbox !== 'postgres') {
  console.error(`Inbox "${values.inbox}" does not exist. Use postgres.`);
  process.exit(2);
}

/** Values of `--rebalance`, one for each run in turn. */
const mixtures = ['eager', 'cooperative', 'eager,cooperative'];

/** Each run has a broker of its own, so that what one leaves behind explains nothing in the next. */
const faultsPerRun = 25;
const wanted = { faults: Number(values.faults), events: Number(values.events) };
const runs = Math.ceil(wanted.faults / faultsPerRun);
const seeds = Array.from({ length: runs }, (_, run) => Number(values.seed) + run);
const part = partOf(seeds, values.part);
const end = performance.now() + Number(values.minutes) * 60_000;
const outcomes = new Outcomes();
const totals = new Totals();

try {
  const postgres = values.inbox === undefined ? undefined : await startPostgres();
  try {
    for (const seed of part) {
      if (performance.now() < end) await play(seed, postgres?.url);
    }
  } finally {
    await postgres?.stop();
  }
  console.log(`faults: ${totals.runs} runs, ${totals.shown()}`);
  if (totals.runs < part.length)
    outcomes.failed(
      'faults',
      `only ${totals.runs} of ${part.length} runs were begun within ${values.minutes} minutes`,
    );
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  outcomes.notRun('faults', error.message);
}
outcomes.summarise();

async function play(seed: number, inbox: string | undefined): Promise<void> {
  const broker = await (values.embedded ? embeddedBroker() : realKafka());
  try {
    const report = await runFaults({
      seed,
      faults: Math.ceil(wanted.faults / runs),
      events: Math.ceil(wanted.events / runs),
      kinds: allKinds.filter((kind) => values.kinds.split(',').includes(kind)),
      rebalances: rebalancesOf(values.rebalance ?? mixtures[seed % mixtures.length]),
      broker,
      ...(inbox === undefined ? {} : { inbox }),
      ...(values.keep === undefined ? {} : { keep: values.keep }),
      log: (line) => {
        if (values.verbose) console.log(`        ${(performance.now() / 1_000).toFixed(0)} s: ${line}`);
      },
    });
    totals.add(report);
    if (isFlawless(report)) outcomes.passed(`faults with seed ${seed}: ${shown(report)}`);
    else outcomes.failed(`faults with seed ${seed}: ${shown(report)}`, `\n  ${report.examples.join('\n  ')}`);
  } finally {
    await broker.stop();
  }
}

function rebalancesOf(names = ''): ('eager' | 'cooperative')[] {
  return names.split(',').map((name) => (name === 'cooperative' ? name : 'eager'));
}
