import { grouped } from 'busbar/base';
import { allEnded } from './all-ended.js';
import { causeId, type Finding, ofConsumer, type Problem, runs } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { Explanation } from '../verify/diagnose.js';
import type { TableDifference } from '../verify/noise.js';
import { firstWrong, shrink } from '../verify/shrink.js';
import { type Experiment, outageStart, type Part, type WorkPoint } from './experiment.js';
import { cut, type Judged, judgedBy } from '../verify/report.js';
import { type Budget, BudgetSpent } from './budget.js';
import type { Copy } from './copies.js';
import { explainExit } from './process.js';
import { writeServiceRepro } from './repro.js';
import type { Screened } from './screen.js';
import type { Trials, Wrong } from './trials.js';

/** Most runs to shrink a failure. */
const maxQuestions = 12;

/**
 * Confirms a suspect. A slow machine can show a failure of its own, and then end the budget: the suspect is run again
 * within the second budget, and stays `suspected` if it shows the failure, or if that budget ends, too. What would only be
 * pointed out is cut.
 */
export async function verdictOn(
  trials: Trials,
  check: string,
  suspect: Screened,
  part: Omit<Part, 'sharing' | 'experiments'>,
  second: Budget,
): Promise<Omit<Judged, 'duration'>> {
  const { experiment } = suspect;
  const { about, label } = experiment;
  try {
    trials.setup.budget.require();
    const finding = await confirm(trials, check, suspect, part);
    return judgedBy(check, finding?.subject ?? about, finding);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    const again = await shownAgain(trials.within(second), experiment);
    if (again === undefined) return judgedBy(check, about, notAgain(check, experiment));
    if (isOnlyWarning(trials, experiment, again)) return cut(check);
    const subject = about === label ? about : `${about} ${label}`;
    return { name: check, subject, status: 'suspected', reason: notConfirmed };
  }
}

const notConfirmed = 'A failure was seen, and the budget ended before it was confirmed. Raise "--budget".';

/** Returns what a further run shows, if anything. Nothing is known if the budget ends. */
async function shownAgain(trials: Trials, experiment: Experiment): Promise<Partial<Wrong> | undefined> {
  try {
    trials.setup.budget.require();
    return (await firstWrong([experiment, experiment], (each) => trials.wrongWith(each)))?.problem;
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return {};
  }
}

/** Whether the state may be right for this service. One that makes no progress never is. */
function isOnlyWarning(
  trials: Trials,
  { isWarning = false }: Experiment,
  { restless }: Partial<Wrong>,
): boolean {
  return isWarning && restless === undefined && !trials.isStrict;
}

/** Returns the finding of a suspect that no further run shows; undefined if it may differ. */
function notAgain(check: string, suspect: Experiment): Finding | undefined {
  if (suspect.wrongIf === 'without effect') return undefined;
  const { about } = suspect;
  const reason = `${sentence(suspect)} the state differed once, and not again.`;
  return { check, subject: about, status: 'unconfirmed', diagnosis: 'diverged', about, reason };
}

/** Runs a suspect again from an empty state, shrinks it, and explains it. Returns undefined unless it is a failure. @throws BudgetSpent */
async function confirm(
  trials: Trials,
  check: string,
  { experiment: suspect, wrong: screened }: Screened,
  { diagnosis, ifStalled, ifLost = 'committed-before-work' }: Omit<Part, 'sharing' | 'experiments'>,
): Promise<Finding | undefined> {
  let tookMs = 0;
  const wrongWith = async (experiment: Experiment) => {
    const begun = performance.now();
    const wrong = await trials.wrongWith(experiment);
    tookMs = Math.max(tookMs, performance.now() - begun);
    return wrong;
  };
  const mayDiffer = suspect.wrongIf === 'without effect';
  const found = screened
    ? ((await firstWrong(fewHouseholds(trials, suspect), wrongWith)) ?? {
        candidate: focusedOn(suspect, ownersOf(trials, screened), screened.inHand) ?? suspect,
        problem: screened,
      })
    : await firstWrong(mayDiffer ? [suspect] : [...smallest(suspect), suspect, suspect], wrongWith);
  if (found === undefined) return notAgain(check, suspect);
  const isSame = (wrong: Wrong | undefined) => kindOf(wrong) === kindOf(found.problem);
  // Shrinking leaves time for the replays.
  const reproduces = async (each: Experiment) =>
    trials.setup.budget.left > 3 * tookMs && isSame(await wrongWith(each));
  const shrunk = found.candidate === suspect ? await shrunkBy(reproduces, suspect) : found.candidate;
  const experiment = { ...shrunk, about: hitBy(shrunk, trials) };
  const wrongs: Wrong[] = [];
  let of = 0;
  do {
    const replays = await allEnded(Array.from({ length: runs.most }, () => wrongWith(experiment)));
    wrongs.push(...replays.filter((each) => each !== undefined));
    of += runs.most;
    // What shows by chance, and has shown, is replayed once more.
  } while (isByChance(experiment) && wrongs.length === 1 && of === runs.most);
  const wrong = wrongs[0] ?? found.problem;
  const rate = { shown: wrongs.length, of };
  const stalled = ifStalled ?? (wrong.restless?.isAbsent === true ? 'leaves-group' : 'stalled');
  const certain = wrong.state === undefined ? stalled : (suspect.diagnosis ?? diagnosis);
  const explained =
    certain === undefined
      ? await trials.explain(experiment, wrong).catch(unexplained)
      : { diagnosis: certain };
  const problem = problemOf(experiment, wrong, {
    ...explained,
    diagnosis: meaningOfLoss(experiment, wrong, explained) ?? ifLost,
  });
  const { contract, seed } = trials.setup;
  return {
    check,
    subject: experiment.about,
    status:
      rate.shown < runs.needed ? 'unconfirmed' : isOnlyWarning(trials, suspect, wrong) ? 'warned' : 'failed',
    ...problem,
    rate,
    repro: writeServiceRepro(causeId(problem), { check, seed, contract, rate, ...experiment }),
  };
}

/** Returns the event that the fault hits: an outage may miss the one that it was tried for. */
function hitBy({ about, fault, deliveries }: Experiment, { world }: Trials): string {
  if (fault?.rest === undefined && fault?.proxy === undefined) return about;
  const hit = deliveries.slice(outageStart(deliveries)).map(({ sent }) => sent.name);
  return hit.includes(about) ? about : (hit.findLast(world.handles) ?? about);
}

/** Returns the diagnosis, or undefined for an event that is lost though it never came again. */
function meaningOfLoss(
  { fault }: Experiment,
  { redelivered, differences }: Wrong,
  { diagnosis, isCut }: Explanation,
): Explanation['diagnosis'] | undefined {
  if (diagnosis === 'committed-before-work') return undefined;
  if (diagnosis !== 'diverged' || isCut === true || fault?.response === undefined) return diagnosis;
  // The work was tried again, and some of its effects are there.
  const isPartial = redelivered.size > 0 && differences.every(({ extra }) => extra.length === 0);
  return isPartial ? 'seen-before-effect' : diagnosis;
}

function ownersOf({ world }: Trials, { differences }: Wrong): ReadonlySet<unknown> {
  const rows = differences.flatMap(({ missing, extra }) => [...missing, ...extra]);
  return new Set(rows.map(world.ownerOf));
}

function unexplained(error: unknown): Explanation {
  if (!(error instanceof BudgetSpent)) throw error;
  return { diagnosis: 'diverged', isCut: true };
}

/** Returns what must stay the same while a failure is shrunk. */
function kindOf(wrong: Wrong | undefined): string | undefined {
  return wrong && (wrong.restless?.kind ?? wrong.differences.map(({ table }) => table).join());
}

/** Returns what is wrong, in words. */
function problemOf(
  experiment: Experiment,
  wrong: Wrong,
  { diagnosis, counterfactual, isCut = false }: Explanation,
): Problem {
  const { differences, restless, stuckAt, exits } = wrong;
  const table = differences[0]?.table;
  const last = exits.at(-1);
  const output = last?.process.lastLines ?? [];
  const ended = last === undefined ? '' : `the service ${explainExit(last)}.`;
  const stalls = restless && `the service makes no progress. ${restless.message}`;
  const how = stalls ?? (differences.map(describeDifference).join(' ') || ended);
  const exactly =
    counterfactual &&
    ` The state is exactly as if "${counterfactual.event}" had ${asIf[counterfactual.change]}.`;
  return {
    diagnosis,
    // One mistake shows in many events. Its table, or the service as a whole, makes it one cause.
    about: ofService.has(diagnosis) ? 'service' : (table ?? stuckAt?.sent.name ?? experiment.about),
    reason: `${sentence(experiment)} ${how}${isCut ? unknownCause : (exactly ?? '')}`,
    ...(output.length > 0 && { output }),
  };
}

const unknownCause = ' The budget ended before the cause was known. Raise "--budget".';

const ofService: ReadonlySet<string> = new Set([...ofConsumer, 'leaves-group', 'swallows-errors']);

const asIf = {
  twice: 'been sent twice',
  'twice, with a restart between': 'been sent twice, with a restart between',
  'left out': 'not been sent',
  late: 'come late',
} as const;

function sentence({ label, about }: Experiment): string {
  return about === label ? `With ${label},` : `With "${about}" ${label},`;
}

function describeDifference({ table, expected, actual, fields }: TableDifference): string {
  const rows = `${actual} ${actual === 1 ? 'row' : 'rows'}`;
  if (fields.length === 0) return `"${table}" has ${rows} instead of ${expected}.`;
  return `"${table}" differs in ${fields.map((field) => `"${field}"`).join(', ')}.`;
}

/** Returns the experiment with only the records that the fault is about, if it has others: the likeliest reproduction. */
function smallest(experiment: Experiment): Experiment[] {
  const { deliveries } = experiment;
  const faulty = deliveries.filter(({ faults }) => faults.length > 0);
  const origins = new Set(faulty.map(({ origin }) => origin));
  const few = deliveries.filter((each) => faulty.includes(each) || origins.has(each.origin));
  return few.length > 0 && few.length < deliveries.length ? [{ ...experiment, deliveries: few }] : [];
}

/** Returns an experiment about the group with one household for each partition: the one with the most handled records. */
function fewHouseholds({ world, setup }: Trials, experiment: Experiment): Experiment[] {
  if (experiment.fault?.member === undefined) return [];
  const handled = experiment.deliveries.filter(({ sent }) => world.handles(sent.name));
  const longest = new Map<number, readonly Delivery[]>();
  for (const [cell, own] of grouped(handled, ({ sent }) => sent.cell)) {
    const partition = cell % setup.contract.partitions;
    if (own.length > (longest.get(partition)?.length ?? 0)) longest.set(partition, own);
  }
  return [{ ...experiment, deliveries: [...longest.values()].flat() }];
}

/** Whether a run shows the failure only if a signal comes at the right instant. */
function isByChance({ fault = {} }: Experiment): boolean {
  return fault.atWork !== undefined || fault.killAfterCommits !== undefined;
}

async function shrunkBy(
  isWrong: (experiment: Experiment) => Promise<boolean>,
  experiment: Experiment,
): Promise<Experiment> {
  // Each run takes several restarts.
  if (isByChance(experiment)) return experiment;
  const withOnly = (deliveries: readonly Delivery[]) => ({ ...experiment, deliveries });
  const reproduces = (some: readonly Delivery[]) => isWrong(withOnly(some));
  return withOnly(await shrink(experiment.deliveries, reproduces, { maxQuestions }));
}

/** Returns the experiment with more signals at the points that ended the work on these households, if there are any. */
function focusedOn(
  experiment: Experiment,
  cells: ReadonlySet<unknown>,
  inHand: Copy['inHand'],
): Experiment | undefined {
  const { atWork } = experiment.fault ?? {};
  const points = atWork?.at.filter((_, nth) => inHand[nth]?.some(({ sent }) => cells.has(sent.cell))) ?? [];
  if (atWork === undefined || points.length === 0) return undefined;
  const at = Array.from({ length: focusedSignals }, (_, nth) => points[nth % points.length] as WorkPoint);
  return { ...experiment, fault: { atWork: { ...atWork, at } } };
}

const focusedSignals = 16;
