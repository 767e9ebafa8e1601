import type { Cause } from '../verify/causes.js';
import type { CheckResult, ContractReport } from '../verify/report.js';
import { formatCause, type ReplayCommand } from './text.js';

/**
 * Returns the report as JUnit XML for CI servers: a suite for each check, a case for each event or scenario. The first
 * case of a cause has all its facts. A warning passes, with the reason as its output; an accepted cause is skipped.
 */
export function reportAsJunit(report: ContractReport, replay?: ReplayCommand): string {
  const { checks, causes, duration } = report;
  const names = [...new Set(checks.map(({ name }) => name))];
  const written = new Set<string>();
  const suites = names.map((name) => {
    const results = checks.filter((result) => result.name === name);
    const cases = results.map((result) => {
      const cause = causes.find(({ id }) => id === result.cause);
      const isFirst = cause !== undefined && !written.has(cause.id);
      if (cause !== undefined) written.add(cause.id);
      return testCase(result, cause, isFirst ? replay : undefined, isFirst);
    });
    const sum = results.reduce((total, result) => total + result.duration, 0);
    return `  <testsuite name="${escaped(name)}" ${counts(results, sum)}>\n${cases.join('')}  </testsuite>\n`;
  });
  const attributes = `name="emulate verify" ${counts(checks, duration)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join('')}</testsuites>\n`;
}

function testCase(
  { name, subject, status, reason = '', duration }: CheckResult,
  cause: Cause | undefined,
  replay: ReplayCommand | undefined,
  isFirst: boolean,
): string {
  const attributes = `classname="${escaped(name)}" name="${escaped(subject)}" time="${seconds(duration)}"`;
  const inside = (content: string) => `    <testcase ${attributes}>${content}</testcase>\n`;
  switch (status) {
    case 'passed':
      return `    <testcase ${attributes}/>\n`;
    case 'failed':
    case 'suspected': {
      const title = cause === undefined ? reason : `${cause.id} ${cause.title}`;
      const text = cause !== undefined && isFirst ? formatCause(cause, replay).join('\n') : reason;
      return inside(`<failure message="${escaped(title)}">${escaped(text)}</failure>`);
    }
    case 'not-run':
    case 'accepted':
      return inside(`<skipped message="${escaped(cause?.accepted?.because ?? reason)}"/>`);
    case 'unconfirmed':
    case 'warned':
      return inside(`<system-out>${escaped(reason)}</system-out>`);
  }
}

function counts(results: readonly CheckResult[], duration: number): string {
  const count = (...statuses: readonly CheckResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return `tests="${results.length}" failures="${count('failed', 'suspected')}" skipped="${count('not-run', 'accepted')}" time="${seconds(duration)}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Escapes a text. XML 1.0 allows no control characters except these three. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
