/** What a run is started with, as the view has it. */
export interface Chosen {
  readonly scenario: string;
  readonly branches: Readonly<Record<string, string>>;
  readonly instances: number;
  readonly seed: number;
  /** Nothing said, `story`, `instant`, or how many times as fast as the clock on the wall. */
  readonly speed: string;
  readonly faults: string;
}

/** The command that starts the same in an emulator of its own. */
export function commandLine({ scenario, branches, instances, seed, speed, faults }: Chosen): string {
  return [
    `npx emulate --scenario ${quoted(scenario)}`,
    ...Object.entries(branches).map(([branch, outcome]) => `--branch ${branch}=${outcome}`),
    ...(instances === 1 ? [] : [`--instances ${instances}`]),
    ...(seed === 1 ? [] : [`--seed ${seed}`]),
    ...(speed === '' || speed === 'story' ? [] : speed === 'instant' ? ['--instant'] : [`--speed ${speed}`]),
    ...(faults === '' ? [] : [`--faults ${quoted(faults)}`]),
  ].join(' ');
}

/** As one word for a shell. */
export function quoted(text: string): string {
  return /^[\w=%:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
