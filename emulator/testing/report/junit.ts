import type { CheckResult, ContractReport } from '../verify/report.js';

/**
 * Returns the report as JUnit XML for CI servers: a suite for each check, a case for each event or scenario. A warning
 * passes, with the reason as its output.
 */
export function reportAsJunit({ checks, duration }: ContractReport): string {
  const names = [...new Set(checks.map(({ name }) => name))];
  const suites = names.map((name) =>
    suite(
      name,
      checks.filter((result) => result.name === name),
    ),
  );
  const attributes = `name="emulate verify" ${counts(checks)} time="${(duration / 1000).toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join('')}</testsuites>\n`;
}

function suite(name: string, results: readonly CheckResult[]): string {
  const cases = results.map(testCase).join('');
  return `  <testsuite name="${escaped(name)}" ${counts(results)}>\n${cases}  </testsuite>\n`;
}

function testCase({ name, subject, status, reason = '', repro }: CheckResult): string {
  const attributes = `classname="${escaped(name)}" name="${escaped(subject)}"`;
  const shown = repro === undefined ? '' : `\n${repro.file}\n${repro.deliveries.join('\n')}`;
  switch (status) {
    case 'passed':
      return `    <testcase ${attributes}/>\n`;
    case 'failed':
      return `    <testcase ${attributes}><failure message="${escaped(reason)}">${escaped(reason + shown)}</failure></testcase>\n`;
    case 'not-run':
      return `    <testcase ${attributes}><skipped message="${escaped(reason)}"/></testcase>\n`;
    case 'warned':
      return `    <testcase ${attributes}><system-out>${escaped(reason)}</system-out></testcase>\n`;
  }
}

function counts(results: readonly CheckResult[]): string {
  const count = (status: CheckResult['status']) =>
    results.filter((result) => result.status === status).length;
  return `tests="${results.length}" failures="${count('failed')}" skipped="${count('not-run')}"`;
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
