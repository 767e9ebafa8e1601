import { program as emulate } from '../../../emulator/cli/program.js';
import { flagsByName, shownDefault } from '../../../src/cli/flags.js';
import { program as busbar } from '../../../src/cli/program.js';
import { variableOf } from '../../../src/cli/settings.js';
import { table, text } from './markdown.js';

/** Returns a table of the keys of the configuration file that have a flag, with the variable and the default. */
export async function settingsTable(): Promise<string> {
  const rows = new Map<string, readonly string[]>();
  for (const { commands } of [busbar, emulate]) {
    for (const [, load] of Object.values(commands)) {
      for (const [name, flag] of flagsByName((await load()).command.flags ?? {})) {
        if (flag.key === undefined) continue;
        const usual = text(shownDefault(flag) ?? '');
        rows.set(`${flag.key} ${name}`, [
          `\`${flag.key}\``,
          `\`--${name}\``,
          `\`${variableOf(name)}\``,
          usual,
        ]);
      }
    }
  }
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  return table(
    ['Key', 'Flag', 'Variable', 'Default'],
    sorted.map(([, row]) => row),
  );
}
