/** A recipe as CONTRIBUTING.md states it. */
export interface WrittenRecipe {
  readonly title: string;
  readonly commands: readonly string[];
}

/**
 * Reads the section "Recipes" of the page.
 * @returns the commands that every recipe ends with, and the recipes with their own commands
 */
export function readRecipes(page: string): {
  readonly common: readonly string[];
  readonly recipes: readonly WrittenRecipe[];
} {
  const section = page.split('\n## Recipes\n')[1]?.split('\n## ')[0] ?? '';
  const paragraphs = section.split('\n\n').map((paragraph) => paragraph.trim().replaceAll('\n', ' '));
  const recipes = paragraphs.flatMap((paragraph) => {
    const [, title] = /^\*\*(.+?)\.\*\*/.exec(paragraph) ?? [];
    return title === undefined ? [] : [{ title, commands: commandsIn(paragraph) }];
  });
  const common = paragraphs.filter((paragraph) => !paragraph.startsWith('**')).flatMap(commandsIn);
  return { common, recipes };
}

/** Long suites are left out: `.ci/run` plays each. */
function commandsIn(paragraph: string): string[] {
  const quoted = [...paragraph.matchAll(/`((?:npm|npx) [^`]+)`/g)].map(([, command]) => command ?? '');
  return quoted.filter((command) => !/^npm run test:(?!fast\b)/.test(command));
}
