import { globalFlags, nextWords, type Program } from './command.js';
import { type AnyTable, type Flag, flagsByName, shownDefault } from './flags.js';

/** A title, and rows of a name as it is typed and its text. */
type Section = readonly [title: string, rows: readonly Row[]];
type Row = readonly [typed: string, text: string];

/** Lines of a screen, and the longest default that a line of it shows. */
const maxLines = 30;
const maxDefault = 30;
const exitCodes = 'Exit codes: 0 success, 1 failure or findings, 2 wrong use, 130 Ctrl-C, 143 termination';

/** Returns the help of a command or of a group of commands: one screen, or all flags. */
export async function help(program: Program, name: string, all: boolean): Promise<string> {
  const isGroup = program.commands[name] === undefined;
  const { usage, sections, more } = isGroup
    ? groupHelp(program, name)
    : await commandHelp(program, name, all);
  const parts = [...usage, ...aligned(sections), all ? exitCodes : `${exitCodes}\n${more}`];
  const spaced = parts.join('\n\n');
  return `${all || spaced.split('\n').length <= maxLines ? spaced : parts.join('\n')}\n`;
}

interface Page {
  readonly usage: readonly string[];
  readonly sections: readonly Section[];
  /** The way to further help. */
  readonly more: string;
}

function groupHelp({ program, commands }: Program, group: string): Page {
  const rows = Object.entries(commands)
    .filter(([name]) => group === '' || name.startsWith(`${group} `))
    .map(([name, [text]]): Row => [name, text]);
  return {
    usage: [`Usage: ${program} ${`${group} <command>`.trim()} [flags]`],
    sections: [['Commands', rows]],
    more: `Flags: ${program} <command> --help`,
  };
}

async function commandHelp({ program, commands }: Program, name: string, all: boolean): Promise<Page> {
  const [text, load] = commands[name] as Program['commands'][string];
  const { flags = {}, args = {}, groups, parameters = {}, examples = [] } = (await load()).command;
  const title = `${program} ${name}`.trim();
  const byName = flagsByName(flags);
  const listed = groups ?? [['Flags', [...byName.keys()].join(' '), '']];
  const argumentRows = [...flagsByName(args)].map(
    ([each, flag]): Row => [flag.isRequired ? `<${each}>` : `[${each}]`, flag.text],
  );
  const others = name === '' ? `\n       ${program} ${nextWords(commands, '').join(' | ')} [--help]` : '';
  return {
    usage: [
      `Usage: ${[title, ...argumentRows.map(([each]) => each), '[flags]'].join(' ')}${others}`,
      ...(name === '' ? [] : [text]),
    ],
    sections: [
      ['Arguments', argumentRows],
      ...listed.map(([group, first, rest]): Section => {
        const names = `${first} ${all ? rest : ''}`.split(' ').filter((each) => byName.has(each));
        return [group, names.map((each) => row(`--${each}`, ' ', byName.get(each) as Flag))];
      }),
      ...Object.entries(all ? parameters : {}).map(
        ([group, table]): Section => [group, rowsOf(table, '', '=')],
      ),
      ...(all ? [['All commands', rowsOf(globalFlags, '--', ' ')] as const] : []),
      ['Examples', examples.map((example): Row => [`${program} ${example}`, ''])],
    ],
    more: `All flags: ${title} --help all`,
  };
}

function rowsOf(table: AnyTable, dashes: string, equals: string): Row[] {
  return [...flagsByName(table)].map(([name, flag]) => row(dashes + name, equals, flag));
}

function row(name: string, equals: string, flag: Flag): Row {
  const { value, text, isRequired } = flag;
  const usual = isRequired ? 'required' : (shownDefault(flag) ?? '');
  const isShown = usual !== '' && usual.length <= maxDefault;
  return [value === undefined ? name : name + equals + value, isShown ? `${text} (${usual})` : text];
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
