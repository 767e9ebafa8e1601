import { grouped } from 'busbar/base';
import type { CheckResult, ContractReport } from '../verify/report.js';
import { formatCause, type ReplayCommand } from './text.js';

/**
 * Returns the report as JUnit XML for CI servers: a suite for each check, a case for each event or scenario. The first
 * case of a cause has all its facts. A warning passes, with the reason as its output; an accepted cause is skipped.
 */
export function reportAsJunit(report: ContractReport, replay?: ReplayCommand): string {
  const { checks, causes, duration } = report;
  const written = new Set<string>();
  const factsOf = (result: CheckResult): Facts => {
    const { reason = '' } = result;
    const cause = causes.find(({ id }) => id === result.cause);
    if (cause === undefined) return { title: reason, text: reason, excuse: reason };
    const text = written.has(cause.id) ? reason : formatCause(cause, replay).join('\n');
    written.add(cause.id);
    return { title: `${cause.id} ${cause.title}`, text, excuse: cause.accepted?.because ?? reason };
  };
  const suites = [...grouped(checks, ({ name }) => name)].map(([name, results]) => {
    const bySubject = [...grouped(results, ({ subject }) => subject)];
    return { name, cases: bySubject.map(([subject, own]) => caseOf(subject, own, factsOf)) };
  });
  const lines = suites.map(({ name, cases }) => {
    const lasted = cases.reduce((total, each) => total + each.duration, 0);
    const rows = cases.map(({ subject, duration, content }) => {
      const attributes = `classname="${escaped(name)}" name="${escaped(subject)}" time="${seconds(duration)}"`;
      return `    <testcase ${attributes}${content === '' ? '/>' : `>${content}</testcase>`}\n`;
    });
    return `  <testsuite name="${escaped(name)}" ${counts(cases, lasted)}>\n${rows.join('')}  </testsuite>\n`;
  });
  const all = suites.flatMap(({ cases }) => cases);
  const attributes = `name="emulate verify" ${counts(all, duration)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${lines.join('')}</testsuites>\n`;
}

interface Facts {
  readonly title: string;
  readonly text: string;
  /** Why the case does not fail. */
  readonly excuse: string;
}

type TestCase = ReturnType<typeof caseOf>;

/** Returns one case for all that a check found out about a subject: CI servers know a case by its name. */
function caseOf(subject: string, results: readonly CheckResult[], factsOf: (result: CheckResult) => Facts) {
  const factsWith = (...statuses: readonly CheckResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).map(factsOf);
  const failures = factsWith('failed', 'suspected');
  const skips = factsWith('not-run', 'accepted');
  const notes = factsWith('unconfirmed', 'warned');
  const joined = (facts: readonly Facts[], member: keyof Facts, separator: string) =>
    escaped(facts.map((each) => each[member]).join(separator));
  let content = '';
  if (failures.length > 0)
    content = `<failure message="${joined(failures, 'title', '; ')}">${joined(failures, 'text', '\n\n')}</failure>`;
  else if (skips.length > 0) content = `<skipped message="${joined(skips, 'excuse', ' ')}"/>`;
  else if (notes.length > 0) content = `<system-out>${joined(notes, 'excuse', '\n')}</system-out>`;
  const duration = results.reduce((total, each) => total + each.duration, 0);
  return { subject, duration, content };
}

function counts(cases: readonly TestCase[], duration: number): string {
  const failures = cases.filter(({ content }) => content.startsWith('<failure')).length;
  const skipped = cases.filter(({ content }) => content.startsWith('<skipped')).length;
  return `tests="${cases.length}" failures="${failures}" skipped="${skipped}" time="${seconds(duration)}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Escapes a string. XML 1.0 allows no control characters except these three. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
