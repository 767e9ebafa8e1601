/** Writes the pages that come from the sources to `generated/`: an event per page, the commands, and the API by TypeDoc. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { openCatalogue } from 'busbar/catalogue';
import { sample } from 'busbar-emulator/testing';
import { commandsPage } from './commands-page.js';
import { eventPage, type EventDetails } from './event-page.js';
import { fieldsOf } from './fields.js';
import { sendingsByEvent } from './sent-by.js';
import { settingsTable } from './settings-table.js';
import { targetsTable } from './targets-page.js';

// Concurrently: it takes as long as all that follows.
const typedoc = spawn('typedoc', ['--options', '.vitepress/typedoc.config.js'], {
  stdio: 'inherit',
  shell: true,
});
const documented = new Promise<number | null>((resolve) => typedoc.once('close', resolve));

const generated = new URL('../generated/', import.meta.url);
const events = new URL('events/', generated);

const catalogue = openCatalogue();
const documents = await catalogue.documents();
const sendings = sendingsByEvent();
const all = catalogue.events.map((event): EventDetails => {
  return {
    event,
    description: documents.events[event.name]?.description ?? '',
    versions: catalogue.versionsOf(event.type),
    fields: fieldsOf(documents.events[event.name] ?? {}, documents.shapes),
    sample: sample(event.type as never, event.version as never, {} as never, { fields: 'full' }),
    sendings: sendings.get(event.name) ?? [],
  };
});

rmSync(events, { recursive: true, force: true });
mkdirSync(events, { recursive: true });
for (const each of all) writeFileSync(new URL(`${each.event.name}.md`, events), eventPage(each));

const index = all.map(({ event, description, fields, sendings }) => ({
  name: event.name,
  description,
  domain: event.domain,
  key: event.key,
  fields: fields.map(({ path }) => path),
  scenarios: sendings.map(({ scenario }) => scenario),
}));
writeFileSync(new URL('events.json', generated), JSON.stringify(index));
writeFileSync(new URL('cli.md', generated), await commandsPage());
writeFileSync(new URL('targets.md', generated), targetsTable());
writeFileSync(new URL('configuration.md', generated), await settingsTable());
if ((await documented) !== 0) process.exitCode = 1;
