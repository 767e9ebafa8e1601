import type { Recipe } from '../recipe.js';

export const error: Recipe = {
  title: 'Add an error',
  files: {},
  edits: [
    {
      file: 'src/base/errors.ts',
      line: "'port-in-use':",
      where: 'before',
      insert: "  'quota-exceeded': 'The platform takes no more requests today.',",
    },
    {
      file: 'docs/reference/errors.md',
      line: '| `port-in-use` |',
      where: 'before',
      insert:
        '| `quota-exceeded` | failure | The platform takes no more requests today. | Try again tomorrow, or ask for a larger quota. |',
    },
  ],
};
