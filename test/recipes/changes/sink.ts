import type { Recipe } from '../recipe.js';

export const sink: Recipe = {
  title: 'Add a sink',
  names: { name: 'discard' },
  files: {
    'emulator/sinks/discard.ts': `
import type { Sink } from '../run/sink.js';

/** Sends events nowhere, to measure a run alone. */
export function discardSink(): Sink {
  return {
    name: 'discard',
    write: () => undefined,
    end: () => undefined,
    close: () => Promise.resolve(),
  };
}
`,
    'test/emulator/sinks/discard.test.ts': `
import { expect, it } from 'vitest';
import { openSinks } from '../../../emulator/cli/open-sinks.js';
import { silentLogger } from '../../../src/base/logger.js';
import { emissions } from './emissions.js';

it('opens by its name and takes events', async () => {
  const { sinks } = await openSinks({ to: ['discard'] }, { logger: silentLogger });
  expect(sinks.map(({ name }) => name)).toEqual(['discard']);
  for (const sink of sinks) {
    await sink.write(emissions(2));
    await sink.close();
  }
});
`,
  },
  edits: [
    {
      file: 'emulator/cli/open-sinks.ts',
      line: 'import { fileSink,',
      where: 'before',
      insert: "import { discardSink } from '../sinks/discard.js';",
    },
    {
      file: 'emulator/cli/open-sinks.ts',
      line: 'webhook(address, parameters) {',
      where: 'before',
      insert: `
  discard(_address, parameters) {
    readParameters('--to discard', {}, parameters);
    return () => discardSink();
  },`,
    },
    {
      file: 'docs/guides/sinks.md',
      line: '| \`broker\`, \`websocket\` |',
      where: 'before',
      insert: '| \`discard\` | nowhere | yes |',
    },
  ],
};
