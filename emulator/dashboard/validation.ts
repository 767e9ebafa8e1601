import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue, Violation } from 'busbar/catalogue';

/** Returns the violations of a payload. @throws BusbarError `unknown-event`, `invalid-option` */
export async function checkPayload(
  catalogue: Catalogue,
  question: unknown,
): Promise<{ readonly violations: readonly Violation[] }> {
  const { type, version, payload } = (question ?? {}) as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof version !== 'string' || payload === undefined) {
    const message = 'Send a JSON object with the members "type", "version" and "payload".';
    throw new BusbarError('invalid-option', message);
  }
  const event = catalogue.find(type, version);
  if (event === undefined) {
    const message = `The catalogue has no event ${quoted(type)} ${quoted(version)}. Use a name that it lists.`;
    throw new BusbarError('unknown-event', message);
  }
  return { violations: await catalogue.explain(event, payload) };
}
