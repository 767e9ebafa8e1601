import { allEnded } from './all-ended.js';
import { controlOf, type Experiment, expired, interleaved, later, type Sharing } from './experiment.js';
import { type Delivery, isFaulty } from '../verify/delivery.js';
import { type Observed, type Owner, shared } from '../verify/households.js';
import { BudgetSpent } from './budget.js';
import { play } from './inject.js';
import { consumedAll } from './quiet.js';
import { type Outcome, outcomeOf, type Trials, type Wrong } from './trials.js';

/** The result of the first try of an experiment. */
export interface Screened {
  readonly experiment: Experiment;
  /** `left`: the budget was spent first. */
  readonly status: 'passed' | 'suspect' | 'not met' | 'left';
  /** The problem, if the experiment had a process of its own. */
  readonly wrong?: Wrong;
}

/** Tries the experiments in as few processes as possible. A suspect must be confirmed alone. */
export async function screen(
  trials: Trials,
  experiments: readonly Experiment[],
  sharing: Sharing,
): Promise<Screened[]> {
  if (experiments.length === 0) return [];
  // Rows without an owner do not tell the experiments apart.
  const isAlone = sharing === 'alone' || (trials.hasShared && experiments.length > 1);
  const tries = isAlone ? experiments.map((each) => [each]) : [experiments];
  const run = isAlone ? alone : sharing === 'together' ? together : waves;
  return (await allEnded(tries.map((some) => unlessCut(trials, some, run)))).flat();
}

async function unlessCut(
  trials: Trials,
  experiments: readonly Experiment[],
  run: typeof together,
): Promise<Screened[]> {
  try {
    trials.setup.budget.require();
    return await run(trials, experiments);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return experiments.map(left);
  }
}

async function alone(trials: Trials, experiments: readonly Experiment[]): Promise<Screened[]> {
  const screened = experiments.map(async (experiment): Promise<Screened> => {
    const { wrong, isMet } = await trials.tried(experiment);
    if (wrong !== undefined) return { experiment, status: 'suspect', wrong };
    return { experiment, status: isMet ? 'passed' : 'not met' };
  });
  return allEnded(screened);
}

/** Plays all experiments at once, in households of their own. */
async function together(trials: Trials, experiments: readonly Experiment[]): Promise<Screened[]> {
  const outcome = await trials.run(merged(trials, experiments));
  const { state, stuckAt } = outcome;
  if (state !== undefined) {
    const screened = experiments.map((each) => judged(trials, each, outcome, true));
    return withoutEffect(trials, screened, state);
  }
  const stuck = experiments.filter((each) => cellOf(each) === stuckAt?.sent.cell);
  if (stuck.length > 0) {
    // Without the record that stops it, the service shows the others.
    const others = experiments.filter((each) => !stuck.includes(each));
    return [...stuck.map(suspect), ...(await screen(trials, others, 'together'))];
  }
  const screened = await screen(trials, experiments, 'alone');
  return screened.some(({ status }) => status === 'suspect') ? screened : experiments.map(suspect);
}

/** Returns one experiment of them all. Without a fault around them, the other households come, too. */
function merged({ world }: Trials, experiments: readonly Experiment[]): Experiment {
  const changed = new Map(experiments.map((each) => [cellOf(each), each.deliveries]));
  const fault = experiments[0]?.fault;
  if (fault !== undefined)
    return { label: 'together', about: '', deliveries: inPhases([...changed.values()]), fault };
  const deliveries = [...world.households].flatMap(([cell, own]) => changed.get(cell) ?? own);
  return { label: 'together', about: '', deliveries: interleaved(deliveries) };
}

/** Mixes households: records before the fault, then those that expire, then those after the fault. */
function inPhases(households: readonly (readonly Delivery[])[]): Delivery[] {
  const phases: [Delivery[], Delivery[], Delivery[]] = [[], [], []];
  for (const deliveries of households) {
    let isAfter = false;
    for (const each of deliveries) {
      const isExpired = each.faults.includes(expired);
      isAfter ||= isExpired || each.faults.includes(later);
      phases[isExpired ? 1 : isAfter ? 2 : 0].push(each);
    }
  }
  return phases.flatMap(interleaved);
}

/** Passes the suspects whose changed event has some effect, and those whose unchanged event leads to the same state. */
async function withoutEffect(
  trials: Trials,
  screened: readonly Screened[],
  state: Observed,
): Promise<Screened[]> {
  const doubtful = screened.filter(
    ({ status, experiment }) => status === 'suspect' && experiment.wrongIf === 'without effect',
  );
  if (doubtful.length === 0) return [...screened];
  const differs = ({ experiment }: Screened, other: Observed) =>
    trials.differencesIn(state, cellOf(experiment), { from: other }).length > 0;
  const deliveries = interleaved(doubtful.flatMap(({ experiment }) => experiment.deliveries));
  const without = await trials.stateWithout(deliveries, isFaulty);
  if (without === undefined) return [...screened];
  const idle = doubtful.filter((each) => !differs(each, without));
  // The baseline has events that these households lack.
  const isShort = ({ experiment }: Screened) =>
    controlOf(experiment).length < (trials.world.households.get(cellOf(experiment))?.length ?? 0);
  const cut = idle.filter(isShort);
  const controls = interleaved(cut.flatMap(({ experiment }) => controlOf(experiment)));
  const control = cut.length === 0 ? undefined : await trials.stateWithout(controls, () => false);
  const isSuspect = (each: Screened) =>
    idle.includes(each) && !(control !== undefined && cut.includes(each) && !differs(each, control));
  return screened.map((each) =>
    doubtful.includes(each) && !isSuspect(each) ? { ...each, status: 'passed' } : each,
  );
}

/** Plays the experiments one after the other. A service that stalls is replaced. */
async function waves(trials: Trials, experiments: readonly Experiment[]): Promise<Screened[]> {
  const copy = await trials.openCopy();
  const met: { readonly experiment: Experiment; readonly isMet: boolean }[] = [];
  let current: Experiment | undefined;
  let isCut = false;
  const outcome = await outcomeOf(copy, async () => {
    for (const experiment of experiments) {
      trials.setup.budget.require();
      current = experiment;
      const isMet = await play(copy, experiment);
      await consumedAll(copy);
      met.push({ experiment, isMet });
    }
  })
    .catch(async (error: unknown) => {
      if (!(error instanceof BudgetSpent)) throw error;
      isCut = true;
      return { state: await copy.observe().catch(() => ({})) };
    })
    .finally(() => copy.close());
  const screened = met
    .map(({ experiment, isMet }) => judged(trials, experiment, outcome, isMet))
    // What differs may still be under way.
    .map((each) => (isCut && each.status === 'suspect' ? left(each.experiment) : each));
  if (outcome.state !== undefined || current === undefined)
    return [...screened, ...experiments.slice(met.length).map(left)];
  const rest = experiments.slice(experiments.indexOf(current) + 1);
  return [...screened, suspect(current), ...(await screen(trials, rest, 'waves'))];
}

function judged(
  trials: Trials,
  experiment: Experiment,
  { state }: Pick<Outcome, 'state'>,
  isMet: boolean,
): Screened {
  if (!isMet) return { experiment, status: 'not met' };
  if (state === undefined) return { experiment, status: 'passed' };
  const { deliveries } = experiment;
  const cells = new Set(deliveries.map(({ sent }) => sent.cell));
  const mask = trials.maskOf(experiment);
  const differs = (owner: Owner) => trials.differencesIn(state, owner, { mask }).length > 0;
  const wrong = [...cells].find(differs);
  if (wrong !== undefined)
    return suspect({ ...experiment, deliveries: deliveries.filter(({ sent }) => sent.cell === wrong) });
  return differs(shared) ? suspect(experiment) : { experiment, status: 'passed' };
}

function left(experiment: Experiment): Screened {
  return { experiment, status: 'left' };
}

function suspect(experiment: Experiment): Screened {
  return { experiment, status: 'suspect' };
}

function cellOf({ deliveries }: Experiment): number {
  return deliveries[0]?.sent.cell ?? -1;
}
