import { formatInstant } from '../engine/time.js';
import type { Run, RunSummary } from '../run/run.js';

/** The output for progress lines: a terminal or any other stream. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Time between two lines, in milliseconds. A terminal shows only the last line. */
const terminalPeriod = 250;
const streamPeriod = 10_000;

const clearLine = '\r\u001b[2K';

/** Prints the progress of a run. The returned function stops it. */
export function showProgress(run: Pick<Run, 'summary'>, output: ProgressOutput = process.stderr): () => void {
  const isTerminal = output.isTTY === true;
  const period = isTerminal ? terminalPeriod : streamPeriod;
  let before = run.summary.events;
  const show = () => {
    const { summary } = run;
    const line = progressLine(summary, ((summary.events - before) * 1000) / period);
    before = summary.events;
    // A wrapped line could not be cleared.
    output.write(isTerminal ? `${clearLine}${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`);
  };
  const timer = setInterval(show, period);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isTerminal) output.write(clearLine);
  };
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
