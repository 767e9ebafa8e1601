import type { Recipe } from '../recipe.js';

export const view: Recipe = {
  title: 'Add a view to the dashboard',
  names: { name: 'notes' },
  files: {
    'emulator/dashboard/client/notes/notes.tsx': `
import { EmptyState } from '../shell/empty-state.js';

/** Notes of the person at the screen. */
export function Notes() {
  return <EmptyState title="No notes yet">Notes appear here.</EmptyState>;
}
`,
  },
  edits: [
    {
      file: 'emulator/dashboard/client/view-route.ts',
      line: 'export const views =',
      where: 'instead',
      insert: `
export const views = ['live', 'journeys', 'world', 'compose', 'run', 'consumers', 'notes'] as const;`,
    },
    {
      file: 'emulator/dashboard/client/shell/app.tsx',
      line: "consumers: ['Consumers', lazy(",
      insert: "  notes: ['Notes', lazy(async () => (await import('../notes/notes.js')).Notes)],",
    },
    {
      file: 'emulator/dashboard/client/shell/icons.tsx',
      line: "consumers: 'M2",
      insert: "  notes: 'M3 2h10v12H3zM5 5h6M5 8h6M5 11h4',",
    },
    {
      file: 'test/emulator/dashboard/views.ts',
      line: "{ name: 'choose',",
      insert: "  { name: 'notes', options: {}, address: '/?view=notes', shown: '.empty' },",
    },
  ],
};
