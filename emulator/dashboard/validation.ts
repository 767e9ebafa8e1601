import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue, Violation } from 'busbar/catalogue';

/** A payload to validate. */
interface Question {
  readonly type: string;
  readonly version: string;
  readonly payload: unknown;
}

/** Returns the violations of a payload. @throws BusbarError `unknown-event`, `invalid-option` */
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
    const message = `The catalogue has no event ${quoted(type)} ${quoted(version)}. Use a name that it lists.`;
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
