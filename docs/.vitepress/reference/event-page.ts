import { describeKey } from '../../../catalogue/key-entities.js';
import type { CatalogueEvent } from '../../../catalogue/event-index.js';
import { elapsed } from '../../../emulator/cli/scenarios.js';
import type { Field } from './fields.js';
import { code, table, text } from './markdown.js';
import type { Sending } from './sent-by.js';

/** The contents of the page of one event version. */
export interface EventDetails {
  readonly event: CatalogueEvent;
  readonly description: string;
  /** All versions of its type, oldest first. */
  readonly versions: readonly string[];
  readonly fields: readonly Field[];
  readonly sample: unknown;
  readonly sendings: readonly Sending[];
}

/** Returns the Markdown of the page of an event version. */
export function eventPage(details: EventDetails): string {
  const { event, description, sample } = details;
  return `# ${event.name}

${text(description)}

${facts(details)}
## Fields

${fieldTable(details.fields)}
## Sample

${code('json', JSON.stringify(sample, null, 2))}
Send one from a terminal:

${code('sh', `npx --package=busbar-emulator emulate trigger ${event.name} --to stdout`)}
## Handler

${code('ts', handlerOf(details))}
## Scenarios

${scenarioTable(details.sendings)}`;
}

/** Returns a program that handles the event. */
export function handlerOf({ event, fields }: Pick<EventDetails, 'event' | 'fields'>): string {
  const [first] = fields;
  const value = first === undefined ? 'event.occurredAt' : `event.payload.${first.path}`;
  return `import { on } from 'busbar';

on('${event.type}', '${event.version}', (event) => {
  console.log(${value});
});`;
}

function facts({ event, versions }: EventDetails): string {
  const links = versions.map((version) =>
    version === event.version ? version : `[${version}](${event.type}-${version}.md)`,
  );
  return table(
    ['Type', `\`${event.type}\``],
    [
      ['Versions', links.join(', ')],
      ['Domain', filter('domain', event.domain)],
      ['Partition key', `${filter('key', event.key)}. ${text(describeKey(event.key))}`],
    ],
  );
}

function fieldTable(fields: readonly Field[]): string {
  if (fields.length === 0) return 'The payload is an object without fields.\n';
  const units = fields.some(({ unit }) => unit !== '');
  return table(
    ['Field', 'Type', 'Required', ...(units ? ['Unit'] : [])],
    fields.map(({ path, type, isRequired, unit, description }) => [
      `\`${path}\`${description === '' ? '' : `<br>${text(description)}`}`,
      text(type),
      isRequired ? 'yes' : 'no',
      ...(units ? [text(unit)] : []),
    ]),
  );
}

function scenarioTable(sendings: readonly Sending[]): string {
  return table(
    ['Scenario', 'Usual time after its start', 'Branches'],
    sendings.map(({ scenario, title, after, when }) => [
      `${filter('scenario', scenario)}: ${text(title)}`,
      elapsed(after),
      Object.entries(when)
        .map(([branch, outcomes]) => `\`${branch}=${outcomes.join('` or `')}\``)
        .join(', ') || 'all',
    ]),
  );
}

/** Returns a link to the events with the same value. */
function filter(name: 'domain' | 'key' | 'scenario', value: string): string {
  return `[${value}](index.md?${name}=${value})`;
}
