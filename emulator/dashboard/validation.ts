import type { Catalogue, Violation } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';

/** What the page asks about an event that it shows. */
export interface Question {
  readonly type: string;
  readonly version: string;
  readonly payload: unknown;
}

/** Answers what is wrong with a payload. @throws BusbarError `unknown-event`, `invalid-option` */
export async function checkPayload(
  catalogue: Catalogue,
  question: unknown,
): Promise<{ readonly violations: readonly Violation[] }> {
  if (!isQuestion(question)) {
    const message = 'Send a JSON object with the members "type", "version" and "payload".';
    throw new BusbarError('invalid-option', message);
  }
  const { type, version, payload } = question;
  const event = catalogue.find(type, version);
  if (event === undefined) {
    const message = `The catalogue has no event ${quoted(type)} ${quoted(version)}. Look it up in its list.`;
    throw new BusbarError('unknown-event', message);
  }
  return { violations: await catalogue.explain(event, payload) };
}

function isQuestion(value: unknown): value is Question {
  return (
    typeof value === 'object' &&
    value !== null &&
    'payload' in value &&
    'type' in value &&
    typeof value.type === 'string' &&
    'version' in value &&
    typeof value.version === 'string'
  );
}
