import { BusbarError, checkOptions, defined, didYouMean, nearest, quoted, withDefaults } from 'busbar/base';
import type { FieldReads } from 'busbar/internal/catalogue';
import type { Check, Finding } from '../checks/check.js';
import { checks } from '../checks/index.js';
import { type ConsumerSource, type VerifyOptions, verifyOptions } from './contract.js';
import type { Delivery } from './delivery.js';
import type { CheckResult, ContractReport } from './report.js';
import { type KeptFailure, worldOfFailure, writeRepro } from './repro.js';
import { shrink } from './shrink.js';
import { Subject } from './subject.js';

/**
 * Tests a consumer against everything the platform allows: every kind of payload, duplicates, any legal order, faults,
 * restarts, and the platform's event sequences. It needs no broker and runs in virtual time. A failure is shrunk to the
 * fewest deliveries that reproduce it. The same seed gives the same report.
 * @throws BusbarError `invalid-option`, `no-handlers`, `unknown-scenario`, and errors that keep the consumer from running
 * @example
 * const report = await verifyConsumer(consumer, { observe: () => state, reset: () => state.clear() });
 * if (!report.passed) console.log(report.checks.filter(({ status }) => status === 'failed'));
 */
export async function verifyConsumer(
  consumer: ConsumerSource,
  options: VerifyOptions = {},
): Promise<ContractReport> {
  checkOptions<VerifyOptions>('verifyConsumer()', verifyOptions, options);
  const begun = performance.now();
  const wanted = wantedChecks(options);
  const subject = await openSubject(consumer, options);
  try {
    const results: CheckResult[] = [];
    for (const check of wanted) results.push(...(await resultsOf(check, subject)));
    const { runs, duration } = subject.search;
    return {
      passed: results.every(({ status }) => status !== 'failed'),
      seed: subject.seed,
      checks: results,
      coverage: subject.coverage,
      runsPerSecond: runs === 0 ? undefined : (runs / duration) * 1000,
      duration: performance.now() - begun,
    };
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
  failure: KeptFailure,
  options: VerifyOptions = {},
): Promise<CheckResult> {
  checkOptions<VerifyOptions>('replayFailure()', verifyOptions, options);
  const { check: name, subject: about, deliveries } = failure;
  const [check] = wantedChecks({ only: [name] });
  const plan = await worldOfFailure(failure);
  const subject = await openSubject(consumer, { ...options, scenarios: [], ...defined({ seed: plan.seed }) });
  try {
    const reason = await subject.during(async () => check?.wrongWith?.(subject, { plan, deliveries }));
    if (reason === undefined) return { name, subject: about, status: 'passed' };
    return { name, subject: about, status: 'failed', reason };
  } finally {
    await subject.stop();
  }
}

/** Returns the checks to run. @throws BusbarError `invalid-option` for an unknown check */
export function wantedChecks({ only }: VerifyOptions): readonly Check[] {
  const names = checks.map(({ name }) => name);
  for (const name of only ?? []) {
    if (names.includes(name)) continue;
    const hint = didYouMean(nearest(name, names)) || ` There are: ${names.join(', ')}.`;
    throw new BusbarError('invalid-option', `Check ${quoted(name)} does not exist.${hint}`);
  }
  return checks.filter(({ name }) => only === undefined || only.includes(name));
}

/** Opens the subject of a verification. @throws BusbarError as {@link verifyConsumer} */
export async function openSubject(consumer: ConsumerSource, options: VerifyOptions): Promise<Subject> {
  return Subject.open(consumer, withDefaults(verifyOptions, options));
}

/** Returns the results of a check, with failures shrunk. */
export function resultsOf(check: Check, subject: Subject): Promise<CheckResult[]> {
  return subject.during(() => resultsWithin(check, subject));
}

async function resultsWithin(check: Check, subject: Subject): Promise<CheckResult[]> {
  const { name } = check;
  if (check.comparesStates === true && subject.incomparable !== undefined) {
    return [{ name, subject: 'states', status: 'not-run', reason: subject.incomparable }];
  }
  const results: CheckResult[] = [];
  const known = new Set(subject.hanging);
  for await (const finding of check.run(subject)) results.push(await resultOf(check, subject, finding));
  const hanging = [...known].filter((event) => !results.some((result) => result.subject === event));
  const reason = 'The handler hangs.';
  return [
    ...results,
    ...hanging.map((event) => ({ name, subject: event, status: 'not-run', reason }) as const),
  ];
}

async function resultOf(check: Check, subject: Subject, finding: Finding): Promise<CheckResult> {
  const { exhibit, status, ...rest } = finding;
  const { wrongWith, name, maxQuestions } = check;
  const isWarning = status === 'warned' && subject.options.strict;
  const result = { name, ...rest, status: isWarning ? 'failed' : status } as const;
  if (status !== 'failed' || exhibit === undefined) return result;
  const { plan } = exhibit;
  const shown = (deliveries: readonly Delivery[]) => wrongWith?.(subject, { plan, deliveries });
  // Nothing to shrink: for a single delivery or a hanging handler, the first finding says more than a second run.
  const hanging = exhibit.deliveries.filter(({ sent }) => subject.hanging.has(sent.name));
  const isKnown = exhibit.deliveries.length === 1 || hanging.length > 0;
  const deliveries = isKnown
    ? await shortest(exhibit.deliveries, hanging.slice(0, 1), shown)
    : await shrink(exhibit.deliveries, async (each) => (await shown(each)) !== undefined, {
        maxQuestions,
        onlyFaults: exhibit.isIndivisible,
      });
  const reason = isKnown ? finding.reason : ((await shown(deliveries)) ?? finding.reason);
  const repro = writeRepro({ check: name, subject: finding.subject, plan, deliveries });
  return { ...result, ...(reason !== undefined && { reason }), repro };
}

/** Shrinks the deliveries, except for a hanging handler, which would take the whole patience at each try. */
async function shortest(
  deliveries: readonly Delivery[],
  hanging: readonly Delivery[],
  shown: (deliveries: readonly Delivery[]) => Promise<string | undefined> | undefined,
): Promise<readonly Delivery[]> {
  if (hanging.length === 0 || deliveries.length === 1) return deliveries;
  return (await shown(hanging)) === undefined ? deliveries : hanging;
}
