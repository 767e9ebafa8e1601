import type { ContractReport } from '../verify/report.js';

/** The report as JSON; of what is kept to replay a failure, the file and what is delivered. */
export function reportAsJson(report: ContractReport): string {
  const checks = report.checks.map(({ repro, ...result }) => ({
    ...result,
    ...(repro && { repro: { file: repro.file, deliveries: repro.deliveries } }),
  }));
  return `${JSON.stringify({ ...report, checks }, null, 2)}\n`;
}
