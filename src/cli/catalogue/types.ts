import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { builtInCatalogue } from '../../../catalogue/catalogue.js';
import { exportDeclarations } from '../../../catalogue/export/declarations.js';
import { BusbarError, quoted } from '../../base/errors.js';
import { boolean, nonEmptyText } from '../../base/options.js';
import { catalogueFlag, type Console, defineCommand } from '../command.js';
import { writeText } from '../write-text.js';

export const command = defineCommand({
  flags: {
    catalogue: catalogueFlag,
    out: {
      type: nonEmptyText,
      isRequired: true,
      value: '<file>',
      text: 'File to write, e.g. my-events.d.ts',
    },
    watch: { type: boolean, text: 'Write it again when a schema changes' },
  },
  examples: ['catalogue types --catalogue catalogue --out my-events.d.ts'],
  run: writeTypes,
});

const watchInterval = 500;

/** `busbar catalogue types`: writes the declarations of your own events. */
async function writeTypes({ out, watch }: { out: string; watch?: boolean }, console: Console): Promise<void> {
  await update(out, console);
  if (!watch) return;
  for (let problem: string | undefined; ; ) {
    await delay(watchInterval);
    try {
      await update(out, console);
      problem = undefined;
    } catch (error) {
      if (!(error instanceof BusbarError)) throw error;
      if (error.message !== problem) console.info(`${console.program}: ${error.message}`);
      problem = error.message;
    }
  }
}

/** Writes the file if its content changes. */
async function update(out: string, console: Console): Promise<void> {
  const catalogue = await console.reopenCatalogue();
  const text = await exportDeclarations(catalogue);
  if (text === undefined) {
    const hint =
      catalogue === builtInCatalogue()
        ? 'Name their folder with --catalogue or in busbar.config.ts.'
        : 'Add "x-event-type" and "x-event-version" to the schema of each event.';
    throw new BusbarError('invalid-option', `The catalogue has no events of your own. ${hint}`);
  }
  if ((await readFile(out, 'utf8').catch(() => undefined)) === text) return;
  writeText(out, text, 'Name another.');
  console.info(`Wrote ${quoted(out)}.`);
}
