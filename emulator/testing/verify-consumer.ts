import { checkOptions, defined, withDefaults } from 'busbar/base';
import type { FieldReads } from 'busbar/internal/catalogue';
import { type CheckInProcess, checksInProcess, chosenOf } from './checks/index.js';
import { causeId } from './verify/causes.js';
import { confirm, replay } from './checks/confirm.js';
import { type ConsumerSource, type VerifyOptions, verifyOptions } from './verify/contract.js';
import {
  type CheckResult,
  type ContractReport,
  type Judged,
  judgedBy,
  notRun,
  reportOf,
} from './verify/report.js';
import { type SavedFailure, worldOfFailure } from './verify/repro.js';
import { Subject } from './verify/subject.js';

/**
 * Tests a consumer against everything the platform allows: every kind of payload, duplicates, any legal order, faults,
 * restarts, and the platform's event sequences. It needs no broker and runs in virtual time. A failure is shrunk to the
 * fewest deliveries that reproduce it, and fails only if a replay of these shows it again. The same seed gives the same
 * report.
 * @throws BusbarError `invalid-option`, `no-handlers`, `unknown-scenario`, and errors that keep the consumer from running
 * @example
 * const report = await verifyConsumer(consumer, { observe: () => state, reset: () => state.clear() });
 * for (const { title, shown } of report.causes) console.log(title, shown.reason);
 */
export async function verifyConsumer(
  consumer: ConsumerSource,
  options: VerifyOptions = {},
): Promise<ContractReport> {
  checkOptions<VerifyOptions>('verifyConsumer()', verifyOptions, options);
  const begun = performance.now();
  const wanted = chosenOf(checksInProcess, options.only);
  const subject = await openSubject(consumer, options);
  try {
    const results: Judged[] = [];
    for (const check of wanted) results.push(...(await resultsOf(check, subject)));
    const { runs, duration } = subject.search;
    const about = {
      seed: subject.seed,
      notes: subject.notes,
      coverage: await subject.coverage(),
      runsPerSecond: runs === 0 ? undefined : (runs / duration) * 1000,
      duration: performance.now() - begun,
    };
    return reportOf(results, about, { ...subject.options, today: new Date().toISOString().slice(0, 10) });
  } finally {
    await subject.stop();
  }
}

/**
 * Returns the fields that the handlers of a consumer read, for `busbar catalogue diff`.
 * @throws BusbarError as {@link verifyConsumer}
 */
export async function recordFields(
  consumer: ConsumerSource,
  options: VerifyOptions = {},
): Promise<FieldReads> {
  checkOptions<VerifyOptions>('recordFields()', verifyOptions, options);
  const subject = await openSubject(consumer, options);
  return subject.during(() => subject.fieldReads()).finally(() => subject.stop());
}

/**
 * Delivers a saved failure and runs its check on it. A scenario from a file is loaded from there again.
 * @throws BusbarError as {@link verifyConsumer}
 */
export async function replayFailure(
  consumer: ConsumerSource,
  failure: SavedFailure,
  options: VerifyOptions = {},
): Promise<CheckResult> {
  checkOptions<VerifyOptions>('replayFailure()', verifyOptions, options);
  const { check: name, subject: about } = failure;
  const [check] = chosenOf(checksInProcess, [name]) as [CheckInProcess];
  const { seed } = await worldOfFailure(failure);
  const begun = performance.now();
  const subject = await openSubject(consumer, { ...options, scenarios: [], ...defined({ seed }) });
  try {
    if (failure.lingers === true) subject.expectLateWork('until still');
    const problem = await subject.during(() => replay(check, subject, failure));
    const result = { name, subject: about, duration: performance.now() - begun };
    if (problem === undefined) return { ...result, status: 'passed' };
    return { ...result, status: 'failed', reason: problem.reason, cause: causeId(problem) };
  } finally {
    await subject.stop();
  }
}

/** Opens the subject of a verification. @throws BusbarError as {@link verifyConsumer} */
export async function openSubject(consumer: ConsumerSource, options: VerifyOptions): Promise<Subject> {
  return Subject.open(consumer, withDefaults(verifyOptions, options));
}

export function resultsOf(check: CheckInProcess, subject: Subject): Promise<Judged[]> {
  return subject.during(() => resultsWithin(check, subject));
}

async function resultsWithin(check: CheckInProcess, subject: Subject): Promise<Judged[]> {
  const { name } = check;
  if (check.comparesStates === true && subject.incomparable !== undefined)
    return [notRun(name, 'states', subject.incomparable)];
  const results: Judged[] = [];
  const hanging = new Set(subject.hanging);
  let begun = performance.now();
  for await (const { problem, ...verdict } of check.run(subject)) {
    if (verdict.notRun !== undefined) {
      results.push(notRun(name, verdict.subject, verdict.notRun));
      continue;
    }
    const finding = problem && (await confirm(check, subject, { ...verdict, problem }, subject.causes));
    const duration = performance.now() - begun;
    begun = performance.now();
    results.push({ ...judgedBy(name, verdict.subject, finding), duration });
    if (finding?.status === 'failed') subject.causes.add(causeId(finding));
  }
  for (const event of hanging)
    if (results.every(({ subject: about }) => about !== event))
      results.push(notRun(name, event, 'The handler hangs.'));
  return results;
}
