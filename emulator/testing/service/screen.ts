import { allEnded } from './all-ended.js';
import { type Experiment, interleaved, type Sharing } from '../checks/experiment.js';
import { shared } from '../verify/households.js';
import { Copy } from './copies.js';
import { play } from './inject.js';
import { consumedAll } from './quiet.js';
import { type Outcome, outcomeOf, type Trials, type Wrong } from './trials.js';

/** The result of the first try of an experiment. */
export interface Screened {
  readonly experiment: Experiment;
  /** `left`: the budget was spent before. */
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
  if (trials.isOver) return experiments.map(left);
  // Rows without an owner do not tell the experiments apart.
  const isAlone = sharing === 'alone' || (trials.hasShared && experiments.length > 1);
  if (isAlone) return allEnded(experiments.map((each) => alone(trials, each)));
  return sharing === 'together' ? together(trials, experiments) : waves(trials, experiments);
}

async function alone(trials: Trials, experiment: Experiment): Promise<Screened> {
  if (trials.isOver) return left(experiment);
  const wrong = await trials.wrongWith(experiment);
  if (wrong !== undefined) return { experiment, status: 'suspect', wrong };
  return { experiment, status: 'passed' };
}

/** Sends all households at once: those of the experiments, and the others without a fault. */
async function together(trials: Trials, experiments: readonly Experiment[]): Promise<Screened[]> {
  const changed = new Map(experiments.map((each) => [cellOf(each), each.deliveries]));
  const deliveries = [...trials.world.households].flatMap(([cell, own]) => changed.get(cell) ?? own);
  const outcome = await trials.run({ label: 'together', about: '', deliveries: interleaved(deliveries) });
  const { state, stuckAt } = outcome;
  if (state !== undefined) return experiments.map((each) => judged(trials, each, outcome, true));
  const [stuck, others] = parted(experiments, (each) => cellOf(each) === stuckAt?.sent.cell);
  // Without the record that stops it, the service shows the others.
  const screened = stuck.length === 0 ? others.map(suspect) : await together(trials, others);
  return [...stuck.map(suspect), ...screened];
}

/** Plays the experiments one after the other. A service that stalls is replaced. */
async function waves(trials: Trials, experiments: readonly Experiment[]): Promise<Screened[]> {
  const copy = await Copy.open(trials.setup);
  const met: { readonly experiment: Experiment; readonly isMet: boolean }[] = [];
  let current: Experiment | undefined;
  const outcome = await outcomeOf(copy, async () => {
    for (const experiment of experiments) {
      if (trials.isOver) break;
      current = experiment;
      met.push({ experiment, isMet: await play(copy, experiment) });
      await consumedAll(copy);
    }
    return true;
  }).finally(() => copy.close());
  const screened = met.map(({ experiment, isMet }) => judged(trials, experiment, outcome, isMet));
  if (outcome.state !== undefined || current === undefined)
    return [...screened, ...experiments.slice(met.length).map(left)];
  const rest = experiments.slice(experiments.indexOf(current) + 1);
  return [...screened, suspect(current), ...(await screen(trials, rest, 'waves'))];
}

function judged(trials: Trials, experiment: Experiment, { state }: Outcome, isMet: boolean): Screened {
  if (!isMet) return { experiment, status: 'not met' };
  if (state === undefined) return { experiment, status: 'passed' };
  const cells = new Set(experiment.deliveries.map(({ sent }) => sent.cell));
  const wrong = [...cells].find((cell) => trials.differencesIn(state, cell).length > 0);
  const isShared = trials.differencesIn(state, shared).length > 0;
  if (wrong === undefined && !isShared) return { experiment, status: 'passed' };
  return suspect(wrong === undefined ? experiment : restrictedTo(experiment, wrong));
}

function left(experiment: Experiment): Screened {
  return { experiment, status: 'left' };
}

function suspect(experiment: Experiment): Screened {
  return { experiment, status: 'suspect' };
}

/** Returns the experiment with the records of one household. */
function restrictedTo(experiment: Experiment, cell: number): Experiment {
  return { ...experiment, deliveries: experiment.deliveries.filter(({ sent }) => sent.cell === cell) };
}

function cellOf({ deliveries }: Experiment): number {
  return deliveries[0]?.sent.cell ?? -1;
}

function parted<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}
