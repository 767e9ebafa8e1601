import { formatInstant } from '../engine/time.js';
import type { Run, RunSummary } from '../run/run.js';

/** A terminal, or whatever else standard error leads to. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Milliseconds between two lines: written over on a terminal, one below the other elsewhere. */
const onTerminal = 250;
const elsewhere = 10_000;

const clearLine = '\r\u001b[2K';

/** Tells how far the run is until the function that it returns is called. */
export function showProgress(run: Run, output: ProgressOutput = process.stderr): () => void {
  const isTerminal = output.isTTY === true;
  const period = isTerminal ? onTerminal : elsewhere;
  let before = run.summary.events;
  const show = () => {
    const { summary } = run;
    const line = progressLine(summary, ((summary.events - before) * 1000) / period);
    before = summary.events;
    // A line that wraps could not be cleared.
    output.write(isTerminal ? `${clearLine}${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`);
  };
  const timer = setInterval(show, period);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isTerminal) output.write(clearLine);
  };
}

/** `2026-03-02T09:00:00.000Z  1,234 events  500/s  kafka 1,200 (34 behind)` */
export function progressLine({ events, last, bySink }: RunSummary, perSecond: number): string {
  const first = Math.max(0, ...bySink.map((sink) => sink.events));
  const sinks = bySink.map((sink) => {
    const lag = first - sink.events;
    return lag === 0 ? sink.name : `${sink.name} (${lag} behind)`;
  });
  const at = last === undefined ? 'not begun' : formatInstant(last);
  const rate = `${Math.round(perSecond).toLocaleString('en')}/s`;
  return [at, `${events.toLocaleString('en')} events`, rate, ...sinks].join('  ');
}
