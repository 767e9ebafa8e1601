import type { ContractReport } from '../verify/report.js';

/** Returns the report as JSON. A `repro` has its file name and deliveries, not its content. */
export function reportAsJson(report: ContractReport): string {
  const checks = report.checks.map(({ repro, ...result }) => ({
    ...result,
    ...(repro && { repro: { file: repro.file, deliveries: repro.deliveries } }),
  }));
  return `${JSON.stringify({ ...report, checks }, null, 2)}\n`;
}
