/** The part of a report that this suite reads, in the form "mutation-testing-report-schema". */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Both count from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A change that made no test fail. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line in which the change begins. */
  readonly code: string;
  readonly from: string;
  readonly to: string;
}

/** Changes that do not compile, or that Stryker was asked to leave out, do not count. */
const counted = new Set(['Killed', 'Timeout', 'Survived', 'NoCoverage']);

export function survivorsOf(report: Report): {
  readonly mutants: number;
  readonly survivors: readonly Survivor[];
} {
  let mutants = 0;
  const survivors: Survivor[] = [];
  for (const [file, { source, mutants: all }] of Object.entries(report.files)) {
    for (const { status, replacement = '', location } of all) {
      if (!counted.has(status)) continue;
      mutants += 1;
      if (status === 'Killed' || status === 'Timeout') continue;
      const { line } = location.start;
      const code = (source.split('\n')[line - 1] as string).trim();
      survivors.push({ file, line, code, from: textAt(source, location), to: replacement });
    }
  }
  return { mutants, survivors };
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] as string).slice(0, end.column - 1);
  lines[0] = (lines[0] as string).slice(start.column - 1);
  return lines.join('\n');
}
