import { type Command, globalFlags, nextWords, type Program } from './command.js';
import { type AnyTable, flagsByName, shownDefault } from './flags.js';

/** A title, and rows of a name as it is typed and its text. */
type Section = readonly [title: string, rows: readonly Row[]];
type Row = readonly [typed: string, text: string];

/** Lines of a screen, and the longest default that a line of it shows. */
const maxLines = 30;
const maxDefault = 30;
const exitCodes = 'Exit codes: 0 success, 1 failure or findings, 2 wrong use, 130 Ctrl-C, 143 termination';

/** Returns the help of a command or of a group of commands: one screen, or all flags. */
export async function help({ program, commands }: Program, page: string, all: boolean): Promise<string> {
  const title = `${program} ${page}`.trim();
  const [text = '', load] = commands[page] ?? [];
  const command = (await load?.())?.command;
  const args = flagsByName(command?.args ?? {});
  const typed = [...args].map(([name, { isRequired }]) => (isRequired ? `<${name}>` : `[${name}]`));
  const next = nextWords(commands, page);
  const others = next.length > 0 ? `\n       ${title} ${next.join(' | ')} [--help]` : '';
  const usage = command === undefined ? [title, '<command>'] : [title, ...typed];
  const listed = Object.entries(commands).filter(([name]) => page === '' || name.startsWith(`${page} `));
  const sections: readonly Section[] =
    command === undefined
      ? [['Commands', listed.map(([name, [line]]) => [name, line])]]
      : [
          ['Arguments', [...args.values()].map((arg, index) => [typed[index] ?? '', arg.text])],
          ...flagSections(command, all),
          ['Examples', (command.examples ?? []).map((example) => [`${program} ${example}`, ''])],
        ];
  const more =
    command === undefined ? `Flags: ${program} <command> --help` : `All flags: ${title} --help all`;
  const parts = [
    `Usage: ${usage.join(' ')} [flags]${command === undefined ? '' : others}`,
    ...(others === '' ? [text] : []),
    ...aligned(sections),
    all ? exitCodes : `${exitCodes}\n${more}`,
  ];
  const spaced = parts.join('\n\n');
  return `${all || spaced.split('\n').length <= maxLines ? spaced : parts.join('\n')}\n`;
}

/** Returns the flags by group; with `all` also those behind the first page, and parameters. */
function flagSections({ flags = {}, groups, parameters = {} }: Command, all: boolean): Section[] {
  const rows = rowsOf(flags, '--', ' ');
  const names = [...rows.keys()].join(' ');
  const grouped = (groups ?? [['Flags', names, ''] as const]).map(([group, first, rest]): Section => {
    const shown = `${first} ${all ? rest : ''}`.split(' ');
    return [
      group,
      shown.flatMap((name) => {
        const row = rows.get(name);
        // Only the first group that names a flag shows it.
        rows.delete(name);
        return row === undefined ? [] : [row];
      }),
    ];
  });
  if (!all) return grouped;
  const further = Object.entries(parameters).map(([group, table]): Section => {
    return [group, [...rowsOf(table, '', '=').values()]];
  });
  return [...grouped, ...further, ['All commands', [...rowsOf(globalFlags, '--', ' ').values()]]];
}

/** Returns the rows of flags by name. */
function rowsOf(table: AnyTable, dashes: string, equals: string): Map<string, Row> {
  const rows = [...flagsByName(table)].map(([name, flag]): [string, Row] => {
    const { value, text, isRequired } = flag;
    const usual = isRequired ? 'required' : (shownDefault(flag) ?? '');
    const isShown = usual !== '' && usual.length <= maxDefault;
    const typed = dashes + name + (value === undefined ? '' : equals + value);
    return [name, [typed, isShown ? `${text} (${usual})` : text]];
  });
  return new Map(rows);
}

/** Returns the sections as texts, their columns aligned. */
function aligned(sections: readonly Section[]): string[] {
  const described = sections.flatMap(([, rows]) => rows.filter(([, text]) => text !== ''));
  const width = Math.max(0, ...described.map(([typed]) => typed.length));
  return sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) =>
      [title, ...rows.map(([typed, text]) => `  ${typed.padEnd(width)}  ${text}`.trimEnd())].join('\n'),
    );
}
