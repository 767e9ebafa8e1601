import { readSpecification } from './read-specification.js';
import { factLines } from './resolve-facts.js';

/** Returns the lines in which the facts differ from the specification, or undefined if they are the same. */
export function differencesOf(facts: string, specification: string): string | undefined {
  const written = factLines(facts).map((line) => line.replace(/^##.*/, '##'));
  const specified = readSpecification(specification);
  const differences = [
    ...specified.filter((line) => !written.includes(line)).map((line) => `+ ${line}`),
    ...written.filter((line) => !specified.includes(line)).map((line) => `- ${line}`),
  ];
  if (differences.length > 0)
    return `${differences.join('\n')}\nThe facts differ (+ only specified, - only in facts.txt).`;
  return written.join('\n') === specified.join('\n')
    ? undefined
    : 'The facts hold the same entries as the specification, in another order.';
}
