import { formatInstant } from '../engine/time.js';
import type { RunSummary } from '../run/run.js';

/** Most lines of a list. The last line totals the rest. */
const maxList = 12;

/** Returns the summary of a run: events and virtual time, then counts by type, branch and fault, highest first. */
export function formatSummary(summary: RunSummary): string {
  const { events, first, last, stopped, byType, byBranch, byFault } = summary;
  const faults = list('Faults', byFault);
  if (first === undefined || last === undefined) return `No event was sent.${faults}`;
  const span = `virtual time ${formatInstant(first)} to ${formatInstant(last)}`;
  const head = `${stopped ? 'Stopped after' : 'Done:'} ${amount(events)}, ${span}.`;
  return `${head}${list('Events', byType)}${list('Outcomes', byBranch)}${faults}`;
}

function list(title: string, counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  if (sorted.length === 0) return '';
  const shown = sorted.slice(0, maxList).map(([name, count]) => `\n${String(count).padStart(9)} ${name}`);
  const rest = sorted.slice(maxList);
  const left = rest.reduce((sum, [, count]) => sum + count, 0);
  const more = rest.length === 0 ? '' : `\n${String(left).padStart(9)} others`;
  return `\n${title}${shown.join('')}${more}`;
}

function amount(events: number): string {
  return `${events} ${events === 1 ? 'event' : 'events'}`;
}
