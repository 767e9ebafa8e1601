import type { TextOutput } from '../base/output.js';

/** Returns a line of progress, given the milliseconds since the line before. */
export type ProgressLine = (period: number) => string;

/** A terminal or any other stream. */
type ProgressOutput = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>> & TextOutput;

/** Time between two lines, in milliseconds. A terminal shows only the last line. */
const terminalPeriod = 250;
const streamPeriod = 10_000;

export const clearLine = '\r\u001b[2K';

/** Whether a line of the output can be cleared: on a terminal, unless `TERM` says that it is a dumb one. */
export function canClear({ isTTY }: Pick<ProgressOutput, 'isTTY'>): boolean {
  return isTTY === true && process.env['TERM'] !== 'dumb';
}

/** Prints a line of progress in each period, on a terminal over the one before. The returned function stops it. */
export function showProgress(line: ProgressLine, output: ProgressOutput = process.stderr): () => void {
  const isTerminal = canClear(output);
  const period = isTerminal ? terminalPeriod : streamPeriod;
  const timer = setInterval(() => {
    // A wrapped line could not be cleared. Some terminals report no columns.
    const end = (output.columns || 80) - 1;
    output.write(isTerminal ? `${clearLine}${line(period).slice(0, end)}` : `${line(period)}\n`);
  }, period);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isTerminal) output.write(clearLine);
  };
}
