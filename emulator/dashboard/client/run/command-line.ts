/** The settings of a run in the run view. */
export interface Chosen {
  readonly scenario: string;
  readonly branches: Readonly<Record<string, string>>;
  readonly instances: number;
  readonly seed: number;
  /** `story`, `instant`, a multiple of real time, or empty for the default. */
  readonly speed: string;
  /** Events per second, instead of a speed. */
  readonly rate?: number | undefined;
  readonly faults: string;
}

/** Returns the command that starts an emulator with these settings. */
export function commandLine({ scenario, branches, instances, seed, speed, rate, faults }: Chosen): string {
  return [
    `npx emulate --scenario ${quoted(scenario)}`,
    ...Object.entries(branches).map(([branch, outcome]) => `--branch ${quoted(`${branch}=${outcome}`)}`),
    ...(instances === 1 ? [] : [`--instances ${instances}`]),
    ...(seed === 1 ? [] : [`--seed ${seed}`]),
    ...(speed === '' || speed === 'story' ? [] : speed === 'instant' ? ['--instant'] : [`--speed ${speed}`]),
    ...(rate === undefined ? [] : [`--rate ${rate}`]),
    ...(faults === '' ? [] : [`--faults ${quoted(faults)}`]),
  ].join(' ');
}

/** Quotes a string as one word for a shell. */
export function quoted(text: string): string {
  return /^[\w=%:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
