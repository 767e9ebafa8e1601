import { grouped } from 'busbar/base';
import { type Cause, diagnoses, type ShownError } from '../verify/causes.js';
import { seePage } from '../see-page.js';
import { type CheckResult, type CheckStatus, type ContractReport } from '../verify/report.js';

/** Returns the command that replays the failure in `file`. */
export type ReplayCommand = (file: string) => string;

/** Returns the report as text: each cause once, the checks that ran, the coverage, and the verdict. */
export function formatText(report: ContractReport, replay: ReplayCommand): string {
  const causes = report.causes.flatMap((cause) => [...formatCause(cause, replay), '']);
  const notes = report.notes.map((note) => `- ${note}`);
  const lines = [
    ...causes,
    ...checkLines(report.checks),
    ...notes,
    ...coverageLines(report),
    verdict(report),
  ];
  return `${lines.join('\n')}\n`;
}

const marks: Readonly<Record<CheckStatus, string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  unconfirmed: '?',
  suspected: '?',
  accepted: '~',
  'not-run': '-',
};

/** Returns a cause as lines: title, reason, error, deliveries, fix and the command that shows it again. */
export function formatCause(cause: Cause, replay?: ReplayCommand): string[] {
  const { id, status, title, checks, subjects, shown, accepted } = cause;
  const headline = `${marks[status]} ${id}  ${title}  (${checks.join(', ')})`;
  if (accepted !== undefined) {
    return [`${headline}: accepted until ${accepted.until}, because ${accepted.because}`];
  }
  const { reason, error, rate, repro, output = [], fields = [] } = shown;
  const { fix, page } = diagnoses[cause.diagnosis];
  const deliveries = repro?.deliveries ?? [];
  const sent = deliveries.filter(isDelivery).length;
  const count = sent === 1 ? '1 delivery' : `${sent} deliveries`;
  const others =
    subjects.length === 1
      ? ''
      : ` Also found in ${subjects.slice(1, 4).join(', ')}${subjects.length > 4 ? ' and others' : ''}.`;
  const lines = [
    reason,
    ...(error === undefined ? [] : errorLines(error)),
    ...(error === undefined && fields.some(Boolean) ? [`Fields that differ: ${fields.join(', ')}`] : []),
    ...output.map((line) => `| ${line}`),
    ...(status === 'unconfirmed' ? ['It did not recur in a replay, so it is not a failure.'] : []),
    ...(rate === undefined ? [] : [`Shown ${rate.shown} of ${rate.of} times, by ${count}:${others}`]),
    ...deliveryLines(deliveries).map((each) => `    ${each}`),
    ...(isSeenOnce(shown) ? [] : [`Fix: ${fix} ${seePage(page)}`]),
    ...(repro === undefined || replay === undefined ? [] : [`Again: ${replay(repro.file)}`]),
  ];
  return [headline, ...lines.map((line) => `    ${line}`)];
}

/** Whether no replay showed the failure, so that there are no deliveries or fields to act on. */
export function isSeenOnce({ status, repro }: Cause['shown']): boolean {
  return status === 'unconfirmed' && repro === undefined;
}

/** Whether a line is a delivery, which begins with the name of its event, and not a rule. */
function isDelivery(line: string): boolean {
  return line.startsWith('"');
}

/** Most deliveries of a reproduction that are listed: one that needs a whole scenario has many. */
const maxDeliveries = 8;

/** Leaves out what is beyond the most lines, plain deliveries before the faults that explain the failure. */
function deliveryLines(all: readonly string[]): string[] {
  const isPlain = (index: number) => Number(all[index]?.endsWith('"'));
  const byWeight = [...all.keys()].sort((one, other) => isPlain(one) - isPlain(other));
  const kept = new Set(byWeight.slice(0, maxDeliveries));
  const hidden = all.length - kept.size;
  return [...all.filter((_, index) => kept.has(index)), ...(hidden > 0 ? [`and ${hidden} more`] : [])];
}

function errorLines({ kind, code, constraint, message, frame }: ShownError): string[] {
  const facts = [code, constraint && `constraint ${JSON.stringify(constraint)}`].filter(Boolean).join(', ');
  const [first = '', ...rest] = (message ?? '').split('\n');
  const at = Number(/:(\d+):\d+$/.exec(frame?.at ?? '')?.[1]);
  return [
    [kind, first, facts].filter((part) => part !== '').join(': '),
    ...rest,
    ...(frame === undefined ? [] : [`    at ${frame.at}`]),
    ...(frame?.lines ?? []).map(({ number, text }) => `    ${number === at ? '>' : ' '} ${number} | ${text}`),
  ];
}

/** Returns a line for all checks that passed, and one for all results that did not run or are suspected alike. */
function checkLines(checks: readonly CheckResult[]): string[] {
  const failed = new Set(checks.filter(({ status }) => status !== 'passed').map(({ name }) => name));
  const passed = [...new Set(checks.map(({ name }) => name))].filter((name) => !failed.has(name));
  const linesOf = (status: CheckStatus) => {
    const results = checks.filter((each) => each.status === status);
    const byCheck = [...grouped(results, ({ name, reason = '' }) => `${name} ${reason}`).values()];
    const rows = byCheck.map((own) => {
      const { name = '', reason = '' } = own[0] ?? {};
      return { name, why: [listOf(own.map(({ subject }) => subject).filter(isPart)), reason] };
    });
    return [...grouped(rows, ({ why }) => why.join()).values()].map((own) => {
      const what = [status.replace('-', ' '), own.map(({ name }) => name).join(', '), ...(own[0]?.why ?? [])];
      return `${marks[status]} ${what.filter((part) => part !== '').join(': ')}`;
    });
  };
  return [
    ...(passed.length === 0 ? [] : [`✓ ${passed.join(', ')}`]),
    ...linesOf('not-run'),
    ...linesOf('suspected'),
  ];
}

/** Whether a result is about one of many events or faults. */
function isPart(subject: string): boolean {
  return subject !== 'states' && subject !== 'service';
}

function coverageLines({ coverage, runsPerSecond }: ContractReport): string[] {
  const { handled, exercised, branches, optionalFields } = coverage;
  const { total, neverPresent, neverAbsent } = optionalFields;
  const outcomes = branches.taken.length + branches.missed.length;
  return [
    '',
    `Events: ${handled.length} handled, ${exercised.length} of them in scenarios. Branches: ${branches.taken.length} of ${outcomes} outcomes${untouched('without', branches.missed)}.`,
    `Optional fields: ${total}${untouched('never present:', neverPresent)}${untouched('never absent:', neverAbsent)}.`,
    ...(runsPerSecond === undefined ? [] : [`Fault plans: ${runsPerSecond.toFixed(0)} a second.`]),
  ];
}

function untouched(how: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `, ${how} ${listOf(names)}`;
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
}

function verdict({ causes, checks, passed, duration, seed }: ContractReport): string {
  const failed = causes.filter(({ status }) => status === 'failed').length;
  const isSuspected = checks.some(({ status }) => status === 'suspected');
  const cut = explainCut(checks);
  const others = isSuspected ? 'a failure was seen and not replayed' : 'accepted causes are fixed';
  const what = failed === 0 ? others : failed === 1 ? '1 cause' : `${failed} causes`;
  const incomplete = failed === 0 && !isSuspected ? cut : undefined;
  const found = incomplete ?? (passed ? 'Passed.' : `FAILED: ${what}.`);
  return `${found} Results: ${countsOf(checks)} (seed ${seed}, ${(duration / 1000).toFixed(1)} s).`;
}

/** Returns a sentence about the checks that the budget cut, if any. */
export function explainCut(checks: readonly CheckResult[]): string | undefined {
  const names = [...new Set(checks.filter(({ isCut }) => isCut).map(({ name }) => name))];
  if (names.length === 0) return undefined;
  return `INCOMPLETE: the budget ended before ${names.length === 1 ? 'this check' : 'these checks'}: ${names.join(', ')}. Raise "--budget".`;
}

/** Returns how many results have each status, e.g. `19 passed, 8 not run`. */
export function countsOf(results: readonly Pick<CheckResult, 'status'>[]): string {
  const count = (status: CheckStatus) => results.filter((result) => result.status === status).length;
  return (['passed', 'failed', 'warned', 'unconfirmed', 'suspected', 'accepted', 'not-run'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status.replace('-', ' ')}`)
    .join(', ');
}
