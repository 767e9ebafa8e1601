import { isUtf8 } from 'node:buffer';
import type { EncodedEvent } from 'busbar';
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

/** The value and the headers of a record whose value is one line of text. */
export interface TextContent extends EncodedEvent {
  readonly value: string;
}

/** Encodes a record of Busbar's own envelope. Returns undefined if the result is not one line of text. */
export function encodedText(
  encode: (content: EncodedEvent) => EncodedEvent,
  record: unknown,
): TextContent | undefined {
  const { value, headers } = (record ?? {}) as Partial<Record<keyof EncodedEvent, unknown>>;
  if (typeof value !== 'string' || typeof headers !== 'object' || headers === null) return undefined;
  try {
    const encoded = encode({ value, headers: headers as EncodedEvent['headers'] });
    const bytes = Buffer.from(encoded.value as string);
    const text = bytes.toString();
    return isUtf8(bytes) && !text.includes('\n') ? { value: text, headers: encoded.headers } : undefined;
  } catch {
    // The value is JSON, but no envelope.
    return undefined;
  }
}
