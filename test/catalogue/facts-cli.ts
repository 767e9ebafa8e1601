/** `npm run facts [-- --spec PATH]`: counts the facts, and compares them with the specification. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differencesOf } from './differences.js';
import { factLines, resolveFacts } from './resolve-facts.js';

const text = readFileSync(new URL('./facts.txt', import.meta.url), 'utf8');
const { spec } = parseArgs({ options: { spec: { type: 'string' } } }).values;

const { events, shapes } = resolveFacts(text);
const types = new Set(events.map((event) => event.type));
console.log(`facts.txt: ${types.size} event types, ${events.length} event versions, ${shapes.size} shapes.`);

if (spec === undefined) {
  console.log('To prove it against the specification: npm run facts -- --spec <path of event-catalogue.md>');
} else {
  const differences = differencesOf(text, readFileSync(spec, 'utf8'));
  if (differences === undefined) {
    console.log(`All ${factLines(text).length} lines are those of the specification, in its order.`);
  } else {
    console.log(differences);
    process.exitCode = 1;
  }
}
