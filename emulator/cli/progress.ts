import type { Console, ProgressLine } from 'busbar/internal/command-line';
import { formatInstant } from '../engine/time.js';
import type { Run, RunSummary } from '../run/run.js';
import type { Sink } from '../run/sink.js';

/** Returns the progress lines of a run. */
export function progressOf(run: Pick<Run, 'summary'>): ProgressLine {
  let before = run.summary.events;
  return (period) => {
    const { summary } = run;
    const perSecond = ((summary.events - before) * 1000) / period;
    before = summary.events;
    return progressLine(summary, perSecond);
  };
}

/** Shows the progress of a run, unless events appear on the same terminal. The returned function stops it. */
export function showRun(run: Run, console: Console, stdout: Sink | undefined): () => void {
  const isShared = stdout !== undefined && process.stdout.isTTY;
  return isShared ? () => undefined : console.progress(progressOf(run));
}

/** Returns a progress line: `2026-03-02T09:00:00.000Z  1,234 events  500/s  kafka (34 behind)`. */
export function progressLine({ events, last, bySink }: RunSummary, perSecond: number): string {
  const first = Math.max(0, ...bySink.map((sink) => sink.events));
  const sinks = bySink.map((sink) => {
    const lag = first - sink.events;
    return lag === 0 ? sink.name : `${sink.name} (${lag} behind)`;
  });
  const at = last === undefined ? 'not started' : formatInstant(last);
  const rate = `${Math.round(perSecond).toLocaleString('en')}/s`;
  return [at, `${events.toLocaleString('en')} events`, rate, ...sinks].join('  ');
}
