/** A change that a contributor makes who follows a recipe of CONTRIBUTING.md. */
export interface Recipe {
  /** The bold words with which the recipe begins, without the full stop. */
  readonly title: string;
  /** Words for the placeholders of its commands: `name` replaces `<name>`. */
  readonly names?: Readonly<Record<string, string>>;
  /** New files: text by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
}

/** Lines inserted next to a line that a file has once. */
export interface Edit {
  readonly file: string;
  /** The start of the line, without its indentation. */
  readonly line: string;
  readonly insert: string;
  /** `instead` replaces the line. Default `after`. */
  readonly where?: 'before' | 'after' | 'instead';
}

/** @throws Error for a line that the file lacks, or has more than once */
export function applyEdit(text: string, { file, line, insert, where = 'after' }: Edit): string {
  const lines = text.split('\n');
  const found = lines.flatMap((each, at) => (each.trimStart().startsWith(line) ? [at] : []));
  const [at] = found;
  if (at === undefined || found.length > 1) {
    throw new Error(`${file} has ${found.length} lines that start with "${line}". Correct test/recipes.`);
  }
  const inserted = insert.replace(/^\n|\n$/g, '').split('\n');
  lines.splice(where === 'after' ? at + 1 : at, where === 'instead' ? 1 : 0, ...inserted);
  return lines.join('\n');
}
