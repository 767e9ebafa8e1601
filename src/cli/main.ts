#!/usr/bin/env node
import { createRequire } from 'node:module';
import { runCommandLine } from './command-line.js';

const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };

const exportFormats = 'json-schema, asyncapi or openapi-webhooks';

await runCommandLine(
  {
    program: 'busbar',
    version,
    define: (cli, output) =>
      cli
        .demandCommand(1, 'Name a command: catalogue, dead-letters or offsets.')
        .command('catalogue', 'The events of the platform', (catalogue) =>
          catalogue
            .demandCommand(1, 'Name a command: catalogue list, show or export.')
            .command(
              'list [text]',
              'All event versions, or those with a text in their name',
              (command) =>
                command
                  .positional('text', { type: 'string', describe: 'part of a catalogue name' })
                  .option('json', { type: 'boolean', default: false, describe: 'print JSON' }),
              async (options) => {
                const { listEvents } = await import('./catalogue/list.js');
                listEvents(options, output);
              },
            )
            .command(
              'show [name]',
              'One event version: what happened, and its fields',
              (command) =>
                command
                  .positional('name', {
                    type: 'string',
                    describe: 'catalogue name or event type',
                  })
                  .option('json', { type: 'boolean', default: false, describe: 'print the JSON Schema' }),
              async (options) => {
                const { showEvent } = await import('./catalogue/show.js');
                await showEvent(options, output);
              },
            )
            .command(
              'export',
              'All events in one document, on stdout',
              (command) => command.option('format', { type: 'string', describe: exportFormats }),
              async (options) => {
                const { exportCatalogue } = await import('./catalogue/export.js');
                await exportCatalogue(options, output);
              },
            ),
        )
        .command('dead-letters', 'Records that were set aside: list, show and replay them', async (command) =>
          (await import('./dead-letters/commands.js')).deadLetterCommands(command, output),
        )
        .command('offsets', 'Where consumer groups go on', async (command) =>
          (await import('./offsets/commands.js')).offsetCommands(command, output),
        ),
  },
  process.argv.slice(2),
);
