import { program as emulate } from '../../../emulator/cli/program.js';
import { allCommands } from '../../../src/cli/command-line.js';
import { help } from '../../../src/cli/help.js';
import { program as busbar } from '../../../src/cli/program.js';
import { code } from './markdown.js';

/** Returns the Markdown of a page with the help of every command. */
export async function commandsPage(): Promise<string> {
  const sections = [emulate, busbar].flatMap(({ commands: own, ...about }) => {
    const program = { ...about, commands: allCommands(own) };
    return [...new Set(['', ...Object.keys(program.commands)])].map(async (name) => {
      return `## ${`${about.program} ${name}`.trim()}\n\n${code('text', (await help(program, name, true)).trim())}`;
    });
  });
  return (await Promise.all(sections)).join('\n');
}
