import type { ContractReport } from '../verify/report.js';
import { type ReplayCommand, formatText } from './text.js';

/**
 * Returns the report for GitHub Actions: an annotation for each failure and warning, then the text report. See
 * "Workflow commands for GitHub Actions".
 */
export function reportForGithub(report: ContractReport, file: string, replay: ReplayCommand): string {
  const annotations = report.checks.flatMap(({ status, name, subject, reason = '' }) => {
    if (status !== 'failed' && status !== 'warned') return [];
    const command = status === 'failed' ? 'error' : 'warning';
    return `::${command} file=${property(file)},title=${property(`${name}: ${subject}`)}::${data(reason)}\n`;
  });
  return `${annotations.join('')}${formatText(report, replay)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
