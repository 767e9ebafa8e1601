import type { ContractReport } from '../verify/report.js';
import { type ReplayCommand, reportForPeople } from './people.js';

/**
 * The report as GitHub Actions shows it: an annotation for each failure and each warning, then the report for people.
 * See "Workflow commands for GitHub Actions".
 */
export function reportForGithub(report: ContractReport, file: string, replay: ReplayCommand): string {
  const annotations = report.checks.flatMap(({ status, name, subject, reason = '' }) => {
    if (status !== 'failed' && status !== 'warned') return [];
    const command = status === 'failed' ? 'error' : 'warning';
    return `::${command} file=${property(file)},title=${property(`${name}: ${subject}`)}::${data(reason)}\n`;
  });
  return `${annotations.join('')}${reportForPeople(report, replay)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
