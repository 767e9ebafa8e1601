import { isUtf8 } from 'node:buffer';
import type { Content } from '../run/in-envelope.js';

/** The value and the headers of a record whose value is one line of text. */
export interface TextContent extends Content {
  readonly value: string;
}

/** Encodes a record of Busbar's own envelope. Returns undefined if the result is not one line of text. */
export function encodedText(encode: (content: Content) => Content, record: unknown): TextContent | undefined {
  const { value, headers } = (record ?? {}) as Partial<Record<keyof Content, unknown>>;
  if (typeof value !== 'string' || typeof headers !== 'object' || headers === null) return undefined;
  try {
    const encoded = encode({ value, headers: headers as Content['headers'] });
    const bytes = Buffer.from(encoded.value as string);
    const text = bytes.toString();
    return isUtf8(bytes) && !text.includes('\n') ? { value: text, headers: encoded.headers } : undefined;
  } catch {
    // The value is JSON, but no envelope.
    return undefined;
  }
}
