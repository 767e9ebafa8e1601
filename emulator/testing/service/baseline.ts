import { allEnded } from './all-ended.js';
import { BusbarError, quoted, systemClock } from 'busbar/base';
import { Plan } from '../../run/plan.js';
import { benchWorld } from '../bench-world.js';
import type { Finding, Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { Observed } from '../verify/households.js';
import { inexactFields, noteOnInexact } from '../verify/inexact.js';
import { noiseBetween } from '../verify/noise.js';
import { called } from '../verify/own-function.js';
import { type Judged, judgedBy } from '../verify/report.js';
import { quiet, Restless } from './quiet.js';
import { type CheckInput, interleaved } from './experiment.js';
import { differenceFromTruth } from '../verify/judge.js';
import { endOf, NotFetching, objection } from './ready.js';
import type { Trials } from './trials.js';

/** Time without a change after which a run is over, in milliseconds. */
const leastMs = 800;
const minTimeoutMs = 10_000;

export interface Baseline extends Pick<CheckInput, 'totalMs' | 'commitMs' | 'steps'> {
  readonly results: readonly Judged[];
  readonly notes: readonly string[];
}

/**
 * Runs the service twice without faults, with the households mixed differently. What differs is noise.
 * @throws BusbarError `invalid-option` for a service that does not get through
 */
export async function runBaseline(trials: Trials): Promise<Baseline> {
  const { world, setup } = trials;
  const begun = performance.now();
  const { deliveries } = world;
  const [one, other] = await allEnded([
    runOnce(trials, interleaved(deliveries)),
    runOnce(trials, deliveries),
  ]);
  trials.baseline = one.state;
  trials.mask = noiseBetween(one.state, other.state, world.households.keys(), world.ownerOf);
  const { contract, learned } = setup;
  if (contract.handlerTimeout === undefined)
    learned.handlerTimeout = Math.max(minTimeoutMs, Math.round(4 * one.tookMs));
  // Every check would pass.
  if (contract.expected === undefined && Object.values(one.state).every(({ length }) => length === 0)) {
    const message =
      'All tables of "observe" are empty after a run without faults. Correct "observe" or the service.';
    throw objection(message, one.lastLines);
  }
  const problem = await untruth(trials, one.state);
  const [check, subject] = ['baseline', 'all scenarios'];
  const finding: Finding | undefined = problem && { check, subject, status: 'failed', ...problem };
  return {
    results: [{ ...judgedBy(check, subject, finding), duration: performance.now() - begun }],
    notes: notesOf(trials),
    totalMs: one.handledMs,
    commitMs: one.commits > deliveries.length / 2 ? one.handledMs / one.commits : undefined,
    steps: one.steps / deliveries.filter(({ sent }) => world.handles(sent.name)).length,
  };
}

async function runOnce(trials: Trials, deliveries: readonly Delivery[]) {
  const copy = await trials.openCopy({}, (error) => error instanceof NotFetching);
  let steps = 0;
  const endSteps = copy.onStep(() => (steps += 1));
  try {
    const begun = performance.now();
    copy.send(deliveries);
    const state = await quiet(copy, leastMs, true);
    const last = copy.commits.last === 0 ? performance.now() : copy.commits.last;
    const tookMs = performance.now() - begun;
    const lastLines = copy.instances[0]?.process.lastLines ?? [];
    return { state, lastLines, commits: copy.commits.count, steps, handledMs: last - begun, tookMs };
  } catch (error) {
    if (!(error instanceof Restless)) throw error;
    const message = `The service fails in a run without faults. ${error.message}`;
    const processes = [copy.exits.at(-1)?.process, copy.instances[0]?.process];
    const lines = processes.flatMap((each) => each?.lastLines ?? []);
    throw new BusbarError('invalid-option', `${message}${endOf(lines)}`, { cause: error });
  } finally {
    endSteps();
    await copy.close();
  }
}

async function untruth({ setup, world }: Trials, state: Observed): Promise<Problem | undefined> {
  const { expected, projection = (all: Observed) => all } = setup.contract;
  if (expected === undefined) return undefined;
  const view = benchWorld(() => new Plan(world.plan), world.households.keys(), {
    ...systemClock,
    now: () => world.end,
  });
  const projected = await called('projection', () => projection(state));
  const truth = await called('expected', () => expected(view));
  return differenceFromTruth(projected, truth);
}

function notesOf({ mask, world, baseline, hasShared, setup }: Trials): string[] {
  const fields = Object.entries(mask.fields)
    .filter(([table]) => !mask.tables.includes(table))
    .flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
  const notCompared = [...mask.tables, ...fields];
  const empty = Object.keys(baseline).filter((table) => baseline[table]?.length === 0);
  return [
    ...(notCompared.length > 0
      ? [`Not compared (differs between two equal runs): ${notCompared.join(', ')}.`]
      : []),
    ...noteOnInexact(inexactFields(baseline).map(({ table, name }) => `${table}.${name}`)),
    ...Object.entries(setup.contract.observe).flatMap(([table, { key }]) => {
      const rows = baseline[table] ?? [];
      const isMissing = key !== undefined && rows.length > 0 && rows.every((row) => !(key in row));
      return isMissing ? [`No row of ${quoted(table)} has the field ${quoted(key)} of "key".`] : [];
    }),
    ...(empty.length > 0 ? [`Empty without faults: ${empty.join(', ')}.`] : []),
    ...(hasShared ? ['Some rows hold no identifier of one household, so each experiment runs alone.'] : []),
    ...(world.exercised.length === 0 ? ['No scenario sends a handled event.'] : []),
  ];
}
