import type { ContractReport } from '../verify/report.js';

/** Returns the report as JSON. A `repro` has its file name and deliveries, not its content. */
export function reportAsJson(report: ContractReport): string {
  const withoutContent = (key: string, value: unknown) => (key === 'content' ? undefined : value);
  return `${JSON.stringify(report, withoutContent, 2)}\n`;
}
