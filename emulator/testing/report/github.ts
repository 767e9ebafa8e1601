import { acceptFile } from '../verify/accept.js';
import { diagnoses } from '../verify/causes.js';
import type { ContractReport } from '../verify/report.js';
import { explainCut, type ReplayCommand, formatText, isSeenOnce } from './text.js';

/**
 * Returns the report for GitHub Actions: an annotation for each failure and warning, at the line of its error if it has
 * one, then the text report. See "Workflow commands for GitHub Actions".
 */
export function reportForGithub(report: ContractReport, file: string, replay: ReplayCommand): string {
  const annotations = report.causes.flatMap(({ id, status, title, shown }) => {
    if (status === 'accepted') return [];
    const [, own = file, line] = /^(.*):(\d+):\d+$/.exec(shown.error?.frame?.at ?? '') ?? [];
    const place = `file=${property(own)}${line === undefined ? '' : `,line=${line}`}`;
    const command = status === 'failed' ? 'error' : 'warning';
    return `::${command} ${place},title=${property(`${id} ${title}`)}::${data(shown.reason)}\n`;
  });
  const others = failuresWithoutCause(report).map(({ name, status, reason = '' }) => {
    const place = status === 'suspected' ? property(file) : acceptFile;
    return `::error file=${place},title=${name}::${data(reason)}\n`;
  });
  const cut = explainCut(report.checks);
  const level = report.passed ? 'warning' : 'error';
  if (cut !== undefined) others.push(`::${level} file=${property(file)},title=budget::${data(cut)}\n`);
  return `${[...annotations, ...others].join('')}${formatText(report, replay)}`;
}

/** Returns the causes as Markdown for the summary of a job, each with its deliveries in the order of time. */
export function summaryForGithub(report: ContractReport): string {
  const { causes, passed, checks, seed } = report;
  const sections = causes
    .filter(({ status }) => status !== 'accepted')
    .map(({ id, title, shown, diagnosis }) => {
      const deliveries = shown.repro?.deliveries ?? [];
      const steps = deliveries.map(
        (each, index) => `${index === deliveries.length - 1 ? '└' : '├'}─ ${each}`,
      );
      const timeline = ['time', ...steps, '   ↓', shown.reason].join('\n');
      const fix = isSeenOnce(shown) ? '' : `\n**Fix:** ${diagnoses[diagnosis].fix}\n`;
      return `### ${id} ${title}\n\n\`\`\`text\n${timeline}\n\`\`\`\n${fix}`;
    });
  const verdict = `## ${passed ? 'Passed' : 'Failed'}: emulate verify\n\n${checks.length} results, seed ${seed}.\n`;
  const cut = explainCut(checks);
  const others = failuresWithoutCause(report).map(({ reason }) => `${reason}\n`);
  return [verdict, ...sections, ...others, ...(cut === undefined ? [] : [`${cut}\n`])].join('\n');
}

/** Returns the failures without a cause: accepted causes that are fixed, and failures that were not replayed. */
function failuresWithoutCause({ checks }: ContractReport) {
  return checks.filter(
    ({ status, cause }) => status === 'suspected' || (status === 'failed' && cause === undefined),
  );
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
