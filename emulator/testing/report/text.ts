import type { CheckResult, CheckStatus, ContractReport } from '../verify/report.js';

/** Returns the command that replays the failure in `file`. */
export type ReplayCommand = (file: string) => string;

/** Returns the report as text: each check with its findings, the coverage, and the verdict. */
export function formatText(report: ContractReport, replay: ReplayCommand): string {
  const names = [...new Set(report.checks.map(({ name }) => name))];
  const lines = names.flatMap((name) => {
    const results = report.checks.filter((result) => result.name === name);
    return [headline(name, results), ...findings(results, replay)];
  });
  return `${[...lines, '', ...coverageOf(report), verdict(report)].join('\n')}\n`;
}

const marks: Readonly<Record<CheckStatus, string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  'not-run': '-',
};

/** Statuses, the worst first. */
const ranks: readonly CheckStatus[] = ['failed', 'warned', 'passed', 'not-run'];

function headline(name: string, results: readonly CheckResult[]): string {
  const worst = ranks.find((status) => results.some((result) => result.status === status)) ?? 'passed';
  const passed = results.filter(({ status }) => status === 'passed').length;
  const share = worst === 'not-run' ? 'not run' : `${passed} of ${results.length}`;
  return `${marks[worst]} ${name.padEnd(17)} ${share}`;
}

function findings(results: readonly CheckResult[], replay: ReplayCommand): string[] {
  return results
    .filter(({ status }) => status !== 'passed')
    .flatMap(({ status, subject, reason = '', repro }) => [
      `    ${marks[status]} ${subject}: ${reason}`,
      ...(repro === undefined
        ? []
        : [...repro.deliveries.map((each) => `        ${each}`), `        ${replay(repro.file)}`]),
    ]);
}

function coverageOf({ coverage, runsPerSecond }: ContractReport): string[] {
  const { handled, exercised, branches, optionalFields } = coverage;
  const { total, present, absent } = optionalFields;
  const outcomes = branches.taken.length + branches.missed.length;
  return [
    `Events: ${handled.length} handled, ${exercised.length} of them in scenarios. Branches: ${branches.taken.length} of ${outcomes} outcomes.`,
    `Optional fields: ${total}, of which ${present} were seen present and ${absent} absent.`,
    ...(runsPerSecond === undefined ? [] : [`Fault plans: ${runsPerSecond.toFixed(0)} a second.`]),
  ];
}

function verdict({ checks, passed, duration, seed }: ContractReport): string {
  const count = (status: CheckStatus) => checks.filter((result) => result.status === status).length;
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('warned')} warned, ${count('not-run')} not run`;
  return `${passed ? 'Passed' : 'FAILED'}: ${counts} (seed ${seed}, ${(duration / 1000).toFixed(1)} s).`;
}
