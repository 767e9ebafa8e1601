import { BusbarError } from '../../base/errors.js';
import { text as anyText } from '../../base/options.js';
import { catalogueFlag, type Console, defineCommand, jsonFlag } from '../command.js';

export const command = defineCommand({
  args: { text: { type: anyText, text: 'Part of a catalogue name' } },
  flags: { catalogue: catalogueFlag, json: jsonFlag },
  examples: ['catalogue list leave-supplier'],
  run: listEvents,
});

/** `busbar catalogue list`: prints names and descriptions by group, or an array of objects with `json`. */
async function listEvents(
  { text = '', json }: { text?: string; json?: boolean },
  output: Pick<Console, 'write' | 'catalogue'>,
): Promise<void> {
  const catalogue = await output.catalogue();
  const found = catalogue.events.filter(({ name }) => name.includes(text));
  if (found.length === 0) throw new BusbarError('unknown-event', `No event has "${text}" in its name.`);
  const { events: schemas } = await catalogue.documents();
  const events = found.map((event) => ({ ...event, description: schemas[event.name]?.description ?? '' }));
  if (json) {
    output.write(`${JSON.stringify(events, null, 2)}\n`);
    return;
  }
  const width = Math.max(...events.map(({ name }) => Math.min(name.length, 50)));
  const groups = [...new Set(events.map(({ group }) => group))].sort();
  for (const group of groups) {
    output.write(`${group}\n`);
    for (const event of events.filter((each) => each.group === group)) {
      output.write(`  ${event.name.padEnd(width)}  ${event.description}\n`);
    }
  }
  const types = new Set(events.map(({ type }) => type)).size;
  output.write(`${counted(types, 'event type')}, ${counted(events.length, 'event version')}\n`);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
