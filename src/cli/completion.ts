import { boolean, choice, wordsOf } from '../base/options.js';
import { type Command, type Commands, globalFlags, nextWords } from './command.js';
import { type Flag, flagsByName, readFlags } from './flags.js';

/** Scripts by shell. Each asks the program for the words that complete a line. */
const scripts = {
  bash: `_NAME() {
  local IFS=$'\\n' line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]}
  local last=\${line##*[[:space:]]}
  # bash splits words at "=" and ":".
  [[ $current == [=:] ]] && current=
  COMPREPLY=($(NAME --complete "$line" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]#"\${last%"$current"}"}")
}
complete -o default -F _NAME NAME
`,
  zsh: `#compdef NAME
_NAME() {
  local -a found=("\${(@f)$(NAME --complete "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _NAME ]]; then _NAME; else compdef _NAME NAME; fi
`,
  fish: `complete -c NAME -a '(NAME --complete (commandline -cp) 2>/dev/null)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName NAME -ScriptBlock {
  param($word, $line, $position)
  NAME --complete $line.ToString().PadRight($position).Substring(0, $position) |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

/** Returns the command that prints the completion script of a program. */
export function completionCommand(program: string): Command {
  const shell = {
    type: choice(...Object.keys(scripts)),
    isRequired: true,
    text: 'bash, zsh, fish or powershell',
  } as const;
  return {
    args: { shell },
    examples: ['completion bash > ~/.local/share/bash-completion/completions/' + program],
    run(values, console) {
      const chosen = readFlags({ shell }, values, '').shell as keyof typeof scripts;
      console.write(scripts[chosen].replaceAll('NAME', program));
    },
  };
}

/** Returns the words that may stand at the end of a line, which begins with the program. */
export async function complete(commands: Commands, line: string): Promise<readonly string[]> {
  const words = line.trimStart().split(/\s+/).slice(1);
  const current = words.pop() ?? '';
  return (await candidates(commands, words, current)).filter((word) => word.startsWith(current));
}

async function candidates(
  commands: Commands,
  before: readonly string[],
  current: string,
): Promise<readonly string[]> {
  const name = [2, 1].map((count) => before.slice(0, count).join(' ')).find((each) => commands[each]) ?? '';
  const next = name === '' ? nextWords(commands, before.join(' ')) : [];
  const load = commands[name]?.[1];
  if (load === undefined || (before.length === 1 && next.length > 0)) return next;
  const { flags = {}, args = {} } = (await load()).command;
  const byName = flagsByName({ ...flags, ...globalFlags });
  const flagOf = (word: string | undefined) => byName.get(word?.replace(/^--/, '') ?? '');
  const [, assigned] = /^(--[^=]+=)/.exec(current) ?? [];
  if (assigned !== undefined) {
    return (await valuesOf(flagOf(assigned.slice(0, -1)), before)).map((value) => assigned + value);
  }
  const at = before.findLastIndex((word) => word.startsWith('--'));
  const flag = flagOf(before[at]);
  const takesValue =
    flag !== undefined && flag.type !== boolean && (at === before.length - 1 || flag.adds === 'several');
  if (takesValue && !current.startsWith('-')) return valuesOf(flag, before);
  const arg =
    at === -1 ? Object.values(args)[before.length - (name === '' ? 0 : name.split(' ').length)] : undefined;
  const plain = [...next, ...(await valuesOf(arg, before))];
  return plain.length > 0 && !current.startsWith('-') ? plain : [...byName.keys()].map((each) => `--${each}`);
}

async function valuesOf(flag: Flag | undefined, before: readonly string[]): Promise<readonly string[]> {
  return flag === undefined ? [] : (flag.complete?.(before) ?? wordsOf(flag.type));
}
