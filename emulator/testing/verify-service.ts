import { BusbarError, grouped, isOurs, readDuration } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { coverageOf } from './verify/coverage.js';
import {
  type ContractReport,
  cut,
  type Judged,
  judgedBy,
  notRun,
  reportOf,
  type ReportOptions,
} from './verify/report.js';
import { allEnded } from './service/all-ended.js';
import { runBaseline } from './service/baseline.js';
import { randomStream } from '../engine/random.js';
import type { CheckInput, Part } from './service/experiment.js';
import { Plan } from '../run/plan.js';
import { type CheckOverTheWire, checksOverTheWire, chosenOf } from './checks/index.js';
import { Budget } from './service/budget.js';
import { verdictOn } from './service/confirm.js';
import { copiesOf, type LoadedServiceContract } from './service/contract.js';
import { type ServiceSetup, Slots } from './service/copies.js';
import { Unplayable } from './service/inject.js';
import { Guard } from './service/guard.js';
import { requireDrivers } from './service/observe/databases.js';
import { hashOf, type SavedExperiment } from './service/repro.js';
import { screen, type Screened } from './service/screen.js';
import { Trials } from './service/trials.js';
import { openWorld } from './service/world.js';

export interface VerifyServiceOptions extends ReportOptions {
  readonly catalogue: Catalogue;
  /** Milliseconds of the checks after the baseline. Default: those of the baseline twelve times, at least 60,000. */
  readonly budget?: number;
  /** Names of checks. Default: all. */
  readonly only?: readonly string[];
  /** Called with the results of each check when it is over. */
  readonly onVerdict?: (results: readonly Judged[]) => void;
}

/** Does the work for each of the items in order, so many at a time: a service waits most of the time. */
async function sideBySide<T, Result>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  await allEnded(
    Array.from({ length: count }, async () => {
      for (const [index, item] of left) results[index] = await work(item);
    }),
  );
  return results;
}

/** Most findings of one part of a check. Suspects that turn out to be right do not count. */
const maxFindings = 3;

/**
 * Tests a service in processes of its own: runs it without faults, then with them, and replays each failure.
 * @throws BusbarError `invalid-option`, `port-in-use` for a service that cannot run
 */
export async function verifyService(
  loaded: LoadedServiceContract,
  options: VerifyServiceOptions,
): Promise<ContractReport> {
  const begun = performance.now();
  const checks = chosenOf(checksOverTheWire, options.only).filter(({ name }) => name !== 'baseline');
  return withTrials(loaded, options.catalogue, async (trials) => {
    const { world } = trials;
    const { contract } = loaded;
    const { seed } = trials.setup;
    const baseline = await runBaseline(trials);
    options.onVerdict?.(baseline.results);
    const { totalMs, commitMs, steps, notes } = baseline;
    const searched = performance.now();
    const { budget = Math.max(60_000, 12 * (searched - begun)) } = options;
    trials.setup.budget.deadline = searched + budget;
    const second = new Budget(searched + 2 * budget);
    trials.isStrict = options.strict ?? false;
    const results = await sideBySide(checks, copiesOf(contract), async (check) => {
      const random = randomStream(seed, 'verify service', check.name);
      const input = { world, contract, totalMs, commitMs, steps, random };
      const added = await resultsOf(trials, check, input, second);
      options.onVerdict?.(added);
      return added;
    });
    const handled = world.catalogue.events.filter(({ name }) => world.handles(name));
    const about = {
      seed,
      notes,
      coverage: coverageOf(world.documents, handled, [{ ...world, possible: world.branches }]),
      runsPerSecond: undefined,
      duration: performance.now() - begun,
    };
    return reportOf([...baseline.results, ...results.flat()], about, options);
  });
}

/**
 * Repeats a saved failure. Returns how often it showed.
 * @throws BusbarError as {@link verifyService}; `invalid-recording` for a failure of another contract
 */
export async function replayService(
  { contract, folder }: LoadedServiceContract,
  { seed, contract: hash, ...experiment }: SavedExperiment,
  { catalogue, times }: { readonly catalogue: Catalogue; readonly times: number },
): Promise<{ readonly shown: number; readonly of: number }> {
  if (hashOf(contract) !== hash) {
    throw new BusbarError(
      'invalid-recording',
      'The failure is of another contract, or the contract has changed. Run "emulate verify" again.',
    );
  }
  return withTrials({ contract: { ...contract, seed }, folder }, catalogue, async (trials) => {
    let shown = 0;
    for (let nth = 0; nth < times; nth += 1)
      if ((await trials.wrongWith(experiment)) !== undefined) shown += 1;
    return { shown, of: times };
  });
}

async function withTrials<T>(
  loaded: LoadedServiceContract,
  catalogue: Catalogue,
  work: (trials: Trials) => Promise<T>,
): Promise<T> {
  const { contract } = loaded;
  if (process.platform === 'win32') {
    // A service that it cannot signal would run for ever.
    const message = 'Windows has no signals that stop or freeze a service. Verify it in WSL 2 or on Linux.';
    throw new BusbarError('invalid-option', message);
  }
  requireDrivers(contract);
  const guard = new Guard();
  try {
    const world = await openWorld(contract, catalogue);
    const setup: ServiceSetup = {
      ...loaded,
      guard,
      seed: contract.seed ?? 1,
      plan: new Plan(world.plan),
      now: world.end,
      slots: new Slots(copiesOf(contract)),
      budget: new Budget(),
      learned: {
        handlerTimeout: readDuration(contract.handlerTimeout ?? '30s') ?? 0,
        lag: 0,
        start: 0,
        hasObserved: false,
        otherGroups: new Map(),
      },
    };
    return await work(new Trials(setup, world));
  } finally {
    await guard.close();
  }
}

async function resultsOf(
  trials: Trials,
  check: CheckOverTheWire,
  input: CheckInput,
  second: Budget,
): Promise<Judged[]> {
  const { name, comparesStates = false, overTheWire } = check;
  if (trials.setup.budget.isSpent) return [cut(name)];
  const why = overTheWire.whyNot?.(input.contract) ?? (comparesStates ? trials.incomparable : undefined);
  if (why !== undefined) return [notRun(name, 'service', why)];
  const begun = performance.now();
  const results: Omit<Judged, 'duration'>[] = [];
  try {
    const parts = await overTheWire.parts(input);
    const screened = await allEnded(
      parts.map(async (part) => [part, await screen(trials, part.experiments, part.sharing)] as const),
    );
    for (const [part, tried] of screened) results.push(...(await judge(trials, name, part, tried, second)));
  } catch (error) {
    // A service that starts no more costs the check, not the report.
    const isOfService = error instanceof Unplayable || (isOurs(error) && error.code === 'invalid-option');
    if (!isOfService) throw error;
    results.push(notRun(name, 'service', error.message));
  }
  if (results.length === 0)
    return [notRun(name, 'service', 'The events of the contract have no case for it.')];
  // One result for each event or fault: the worst.
  const bySubject = grouped(results, ({ subject }) => subject);
  const judged = [...bySubject.values()].flatMap((own) => {
    const findings = own.filter(({ finding, status }) => finding !== undefined || status === 'suspected');
    const shown =
      findings.length > 0 ? findings : own.filter(({ status }) => status === 'passed').slice(0, 1);
    return shown.length > 0 ? shown : own.slice(0, 1);
  });
  const duration = (performance.now() - begun) / judged.length;
  return judged.map((each) => ({ ...each, duration }));
}

async function judge(
  trials: Trials,
  name: string,
  part: Part,
  screened: readonly Screened[],
  second: Budget,
): Promise<Omit<Judged, 'duration'>[]> {
  const results: Omit<Judged, 'duration'>[] = screened
    .filter(({ status }) => status === 'passed' || status === 'not met')
    .map(({ experiment: { about }, status }) =>
      status === 'passed' ? judgedBy(name, about) : notRun(name, about, 'The service never met the fault.'),
    );
  let findings = 0;
  const suspects = screened.filter(({ status }) => status === 'suspect');
  // Those with the same label and event show the same.
  const alike = grouped(suspects, ({ experiment: { label, about } }) => `${label} ${about}`);
  for (const [suspect] of alike.values()) {
    if (suspect === undefined || findings === maxFindings) break;
    const verdict = await verdictOn(trials, name, suspect, part, second);
    if (verdict.status !== 'passed') findings += 1;
    results.push(verdict);
  }
  if (screened.some(({ status }) => status === 'left')) results.push(cut(name));
  return results;
}
