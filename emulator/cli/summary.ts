import { formatInstant } from '../engine/time.js';
import type { RunSummary } from '../run/run.js';

/** Lines of a list before the rest is only counted. */
const longestList = 12;

/** What a run came to: how much over which time, then by type, branch and fault, the most frequent first. */
export function describe(summary: RunSummary): string {
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
  const shown = sorted.slice(0, longestList).map(([name, count]) => `\n${String(count).padStart(9)} ${name}`);
  const rest = sorted.slice(longestList);
  const left = rest.reduce((sum, [, count]) => sum + count, 0);
  const more = rest.length === 0 ? '' : `\n${String(left).padStart(9)} of ${rest.length} more`;
  return `\n${title}${shown.join('')}${more}`;
}

function amount(events: number): string {
  return `${events} ${events === 1 ? 'event' : 'events'}`;
}
