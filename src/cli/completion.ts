import { choice, wordsOf } from '../base/options.js';
import { type Commands, defineCommand, globalFlags, nextWords, pageOf } from './command.js';
import { type Flag, flagsByName } from './flags.js';

/** Scripts by shell. Each asks the program, or npx, for the words that complete a line. All serve `npx` for both programs. */
const scripts = {
  bash: `_busbar_words() {
  local IFS=$'\\n' line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]} program=("$1")
  local last=\${line##*[[:space:]]}
  # bash splits words at "=" and ":".
  [[ $current == [=:] ]] && current=
  if [[ $1 == npx ]]; then
    [[ $line =~ ^[[:space:]]*npx[[:space:]]+(busbar|emulate)[[:space:]] ]] || return
    program=(npx --no-install "\${BASH_REMATCH[1]}")
  fi
  COMPREPLY=($("\${program[@]}" --complete "$line" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]#"\${last%"$current"}"}")
}
complete -o default -F _busbar_words NAME npx
`,
  // zsh has a command `emulate` of its own.
  zsh: `#compdef NAME npx
_NAME() {
  local -a program=(command $words[1]) found
  [[ $words[1] == npx ]] && program=(npx --no-install $words[2])
  if [[ $words[1] != npx || ( $CURRENT -gt 2 && $words[2] == (busbar|emulate) ) ]]; then
    found=("\${(@f)$($program --complete "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  fi
  if [[ -n $found ]]; then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _NAME ]]; then _NAME; else compdef _NAME NAME npx; fi
`,
  fish: `complete -c NAME -a '(NAME --complete (commandline -cp) 2>/dev/null)'
complete -c npx -n '__fish_seen_subcommand_from NAME' -a '(npx --no-install NAME --complete (commandline -cp) 2>/dev/null)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName NAME, npx -ScriptBlock {
  param($word, $line, $position)
  $text = $line.ToString().PadRight($position).Substring(0, $position)
  $(
    if ($text -match '^npx\\s+(busbar|emulate)\\s') { npx --no-install $Matches[1] --complete $text }
    elseif ($text -notmatch '^npx\\b') { NAME --complete $text }
  ) | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

export const command = defineCommand<{ readonly shell: keyof typeof scripts }>({
  args: {
    shell: { type: choice(...Object.keys(scripts)), isRequired: true, text: 'bash, zsh, fish or powershell' },
  },
  examples: ['completion bash > completion.bash && source completion.bash'],
  run: ({ shell }, console) => void console.write(scripts[shell].replaceAll('NAME', console.program)),
});

/** Returns the words that may stand at the end of a line, which begins with the program or with npx. */
export async function complete(commands: Commands, line: string): Promise<readonly string[]> {
  const words = line.replace(/^\s*(npx\s+)?\S*\s*/, '').split(/\s+/);
  const current = words.pop() ?? '';
  return (await candidates(commands, words, current)).filter((word) => word.startsWith(current));
}

/** Returns nothing where a file belongs: shells then complete files. */
async function candidates(
  commands: Commands,
  before: readonly string[],
  current: string,
): Promise<readonly string[]> {
  const page = pageOf(commands, before);
  const typed = before.length - page.split(' ').filter(Boolean).length;
  const next = typed === 0 ? nextWords(commands, page) : [];
  const load = commands[page]?.[1];
  if (load === undefined) return next;
  const { flags = {}, args = {} } = (await load()).command;
  const byName = flagsByName({ ...flags, ...globalFlags });
  const flagOf = (word = '') => byName.get(word.replace(/^--/, ''));
  const [, assigned] = /^(--[^=]+)=/.exec(current) ?? [];
  if (assigned !== undefined) {
    return (await valuesOf(flagOf(assigned), before)).map((value) => `${assigned}=${value}`);
  }
  if (current.startsWith('-')) return [...byName.keys()].map((each) => `--${each}`);
  const at = before.findLastIndex((word) => word.startsWith('--'));
  const flag = flagOf(before[at]);
  const takesValue = flag?.value !== undefined && (at === before.length - 1 || flag.adds === 'several');
  if (takesValue) return valuesOf(flag, before);
  return [...next, ...(await valuesOf(at === -1 ? Object.values(args)[typed] : undefined, before))];
}

async function valuesOf(flag: Flag | undefined, before: readonly string[]): Promise<readonly string[]> {
  return flag === undefined ? [] : (flag.complete?.(before) ?? wordsOf(flag.type));
}
