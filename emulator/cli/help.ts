import { type Flag, flagsByName, shownDefault } from './flags.js';
import { sinkParameters } from './open-sinks.js';
import { apiParameters, runFlags } from './run-flags.js';

/** Flags of a run by group: title, flags of the first page, further flags of `--help all`. */
const groups = [
  ['Scenario', 'scenario instances accounts branch seed', 'versions run-id shard inputs'],
  ['Time', 'start duration instant speed rate', 'until step'],
  ['Faults', 'faults vary', 'fault-log'],
  ['Output', 'to record', 'resume brokers topic'],
  ['Servers', 'kafka-port http-port api-key', 'api host tls insecure wait-for-consumer exit-when-done'],
] as const;

const usage = `Usage: emulate [flags]
       emulate scenarios | trigger | replay | verify | check [--help]
`;

const examples = `Examples
  emulate --scenario house-move
  emulate --scenario house-move --instances 3 --instant --to stdout
  emulate --scenario everyday --faults duplicate=1% --to file:run.ndjson
`;

const more = `Exit codes
  0 success, 1 failure or findings, 2 wrong use, 129, 130 and 143 signals
`;

/** Returns the help for runs: one screen, or all flags. */
export function help(all: boolean): string {
  const flags = flagsByName(runFlags);
  const sections = groups.map(([title, first, rest]) => {
    const names = `${first}${all ? ` ${rest}` : ''}`.split(' ');
    return section(
      title,
      names.map((name) => [`--${name}`, flags.get(name)]),
    );
  });
  if (!all) return `${usage}\n${sections.join('')}${examples}All flags: emulate --help all\n`;
  const parameters = Object.entries({
    'Parameters of --to file:<path>?…': sinkParameters.file,
    'Parameters of --to https://…?…': sinkParameters.webhook,
    'Parameters of --to kafka://…?…': sinkParameters.kafka,
    'Parameters of --api': apiParameters,
  }).map(([title, table]) => section(title, [...flagsByName(table)], '='));
  return [usage, ...sections, ...parameters, examples, more].join('\n');
}

function section(
  title: string,
  flags: readonly (readonly [string, Flag | undefined])[],
  equals = ' ',
): string {
  const lines = flags.map(([name, flag]) => {
    if (flag === undefined) throw new Error(`no flag ${name}`);
    const usual = shownDefault(flag);
    const typed = flag.value === undefined ? name : name + equals + flag.value;
    return `  ${typed.padEnd(26)} ${flag.text}${usual === undefined ? '' : ` (${usual})`}\n`;
  });
  return `${title}\n${lines.join('')}`;
}
