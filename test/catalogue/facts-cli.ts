import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSpecification } from './read-specification.js';
import { factLines, resolveFacts } from './resolve-facts.js';

const text = readFileSync(new URL('./facts.txt', import.meta.url), 'utf8');
const { spec } = parseArgs({ options: { spec: { type: 'string' } } }).values;

const { events, shapes } = resolveFacts(text);
const types = new Set(events.map((event) => event.type));
console.log(`facts.txt: ${types.size} event types, ${events.length} event versions, ${shapes.size} shapes.`);

if (spec === undefined) {
  console.log('To prove it against the specification: npm run facts -- --spec <path of event-catalogue.md>');
} else {
  const written = factLines(text).map((line) => line.replace(/^##.*/, '##'));
  const specified = readSpecification(readFileSync(spec, 'utf8'));
  const differences = [
    ...specified.filter((line) => !written.includes(line)).map((line) => `+ ${line}`),
    ...written.filter((line) => !specified.includes(line)).map((line) => `- ${line}`),
  ];
  if (differences.length > 0) {
    console.log(`${differences.join('\n')}\nThe facts differ (+ only specified, - only in facts.txt).`);
    process.exitCode = 1;
  } else if (written.join('\n') !== specified.join('\n')) {
    console.log('The facts hold the same entries as the specification, in another order.');
    process.exitCode = 1;
  } else {
    console.log(`All ${written.length} lines are those of the specification, in its order.`);
  }
}
