import { join, relative } from 'node:path';
import { type Catalogue, loadCatalogue, openCatalogue } from '../../../catalogue/index.js';
import { dialect } from '../../../catalogue/schema.js';
import { matching, nonEmptyText } from '../../base/options.js';
import { quoted } from '../../base/errors.js';
import { type Console, defineCommand } from '../command.js';
import { keyOf } from './key-of.js';
import { writeText } from '../write-text.js';

export const command = defineCommand({
  args: {
    name: {
      type: matching(
        /^[a-z][\w-]*(\.[a-z][\w-]*)*-(v\d+|\d+\.\d+\.\d+)$/,
        'a name such as tariff.changed-v1',
      ),
      isRequired: true,
      text: 'Event type and version, e.g. tariff.changed-v1',
    },
  },
  flags: {
    folder: {
      type: nonEmptyText,
      value: '<path>',
      text: 'Folder of the new file, instead of the configured one',
    },
  },
  examples: ['catalogue new tariff.changed-v1'],
  run: createSchema,
});

/**
 * `busbar catalogue new NAME`: writes a valid schema of a new event, or an override of a built-in one. Replaces no file.
 */
async function createSchema(
  { name, folder: named }: { name: string; folder?: string },
  console: Console,
): Promise<void> {
  const configured = [console.config.catalogue ?? []].flat().find((path) => !path.endsWith('.json'));
  const folder = relative('', named ?? configured ?? 'catalogue');
  const file = join(folder, `${name}.json`);
  const catalogue = openCatalogue();
  const builtIn = catalogue.named(name);
  const schema =
    builtIn === undefined
      ? newSchema(name, await loadCatalogue([folder]).catch(() => catalogue))
      : { ...(await catalogue.schema(builtIn)), 'x-busbar-override': true };
  writeText(
    file,
    `${JSON.stringify(schema, null, 2)}\n`,
    'Choose another name or folder, or edit the file.',
    true,
  );
  const flag = named === undefined && configured !== undefined ? '' : ` --catalogue ${folder}`;
  console.write(`Created ${quoted(file)}. Next: npx busbar catalogue show ${name}${flag}\n`);
}

function newSchema(name: string, catalogue: Catalogue) {
  const [, type = '', version = ''] = /^(.+)-(v\d+|[\d.]+)$/.exec(name) ?? [];
  return {
    $schema: dialect,
    $id: name,
    title: name.replace(/(?:^|[._-])([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
    description: 'Describe what happened.',
    'x-event-type': type,
    'x-event-version': version,
    'x-busbar-key': keyOf(type, catalogue),
    type: 'object',
    properties: { account_number: { type: 'string', description: 'Number of the account.' } },
    required: ['account_number'],
  };
}
