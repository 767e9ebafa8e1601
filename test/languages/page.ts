import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../read-sources.js';

/** The guide as the suite follows it. */
export interface Page {
  /** The command that exports the catalogue. */
  readonly exporting: string;
  readonly languages: readonly Section[];
  /** Differences from Busbar, by the kind of payload and then by language. */
  readonly exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Section {
  readonly language: string;
  /** The first one installs the generator. */
  readonly commands: readonly string[];
  /** Other blocks of code: excerpts of the programs here. */
  readonly excerpts: readonly string[];
}

export function readPage(): Page {
  const text = readFileSync(join(root, 'docs/guides/other-languages.md'), 'utf8');
  const [start = '', ...sections] = text.split(/^## /m);
  const languages = sections.map(readSection).filter(({ commands }) => commands.length > 0);
  const [exporting = ''] = readSection(start).commands;
  return { exporting, languages, exceptions: readTable(text) };
}

function readSection(section: string): Section {
  const [title = ''] = section.split('\n');
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```/gm)];
  const codes = (isCommand: boolean) =>
    blocks.filter(([, language]) => (language === 'sh') === isCommand).map(([, , code = '']) => code);
  const commands = codes(true).flatMap((code) =>
    code
      .replaceAll(/\\\n\s*/g, '')
      .trim()
      .split('\n'),
  );
  return { language: title, commands, excerpts: codes(false) };
}

/** Reads the table whose first column is "Payload" and whose last one is "Reason". */
function readTable(text: string): Page['exceptions'] {
  const [, table = ''] = /^(\| Payload \|[^]*?)\n\n/m.exec(`${text}\n\n`) ?? [];
  const rows = table.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [[, ...titles] = [], , ...others] = rows;
  const languages = titles.slice(0, -1);
  return Object.fromEntries(
    others.map(([kind = '', ...cells]) => [
      kind,
      Object.fromEntries(languages.map((language, at) => [language, cells[at] ?? ''])),
    ]),
  );
}
