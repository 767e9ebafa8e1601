import { BusbarError } from '../base/errors.js';
import type { RecordHeaders } from './transport.js';

/**
 * Headers as an object, in which a list repeats its name; as pairs in which a name may repeat; or as objects with one name
 * each, like those of node-rdkafka and AWS Lambda. Text becomes UTF-8.
 */
export type HeaderInput =
  | Readonly<Record<string, HeaderValues>>
  | Iterable<
      | readonly [name: HeaderValue, value: HeaderValue]
      | Readonly<Record<string, HeaderValue | readonly number[]>>
    >;

/** The value of a header, as text or bytes. */
export type HeaderValue = string | Uint8Array;
/** The values of one header name. */
export type HeaderValues = HeaderValue | readonly HeaderValue[] | null | undefined;

/** Creates {@link RecordHeaders} from values in memory. @throws BusbarError `invalid-option` */
export function recordHeaders(input: HeaderInput = []): RecordHeaders {
  if (!isIterable(input)) return recordHeaders(new HeaderObject(input));
  const list: (string | Uint8Array)[] = [];
  for (const each of input) {
    if (!isIterable(each)) {
      for (const [name, value] of Object.entries(each)) list.push(name, bytesOf(value));
      continue;
    }
    const [name, value] = each;
    list.push(typeof name === 'string' ? name : Buffer.from(bytesOf(name)).toString(), bytesOf(value));
  }
  return new HeaderList(list);
}

/** Like {@link recordHeaders}, but copies no object: most handlers read few headers. */
export function headersOver(input: HeaderInput = []): RecordHeaders {
  return isIterable(input) ? recordHeaders(input) : new HeaderObject(input);
}

/** @throws BusbarError `invalid-option` for callers without a compiler, for example with names and values in one list */
function isIterable<T extends object>(headers: T): headers is Extract<T, Iterable<unknown>> {
  if (Object(headers) === headers) return Symbol.iterator in headers;
  const message = 'The headers of a record must be an object, or pairs of name and value.';
  throw new BusbarError('invalid-option', message);
}

/** Headers as kafkajs and Confluent's client deliver them. One without a value is null. */
class HeaderObject implements RecordHeaders {
  readonly #input: Readonly<Record<string, HeaderValues>>;

  constructor(input: Readonly<Record<string, HeaderValues>>) {
    this.#input = input;
  }

  get(name: string): Uint8Array | undefined {
    if (!Object.hasOwn(this.#input, name)) return undefined;
    const value = this.#input[name];
    const last = isList(value) ? value.at(-1) : value;
    return last === undefined ? undefined : bytesOf(last);
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Uint8Array]> {
    for (const [name, values] of Object.entries(this.#input)) {
      for (const value of isList(values) ? values : [values])
        if (value !== undefined) yield [name, bytesOf(value)];
    }
  }
}

function isList(values: HeaderValues): values is readonly HeaderValue[] {
  return Array.isArray(values);
}

/** @throws BusbarError `invalid-option`, as {@link isIterable} */
function bytesOf(value: HeaderValue | readonly number[] | null): Uint8Array {
  if (value instanceof Uint8Array) return value;
  try {
    return Buffer.from(value ?? '');
  } catch {
    // Its message may quote the value.
    const message = 'The names and values in the headers of a record must be text or bytes.';
    throw new BusbarError('invalid-option', message);
  }
}

/** Alternates names and values in one list, so that a search touches little memory. */
class HeaderList implements RecordHeaders {
  readonly #list: readonly (string | Uint8Array)[];

  constructor(list: readonly (string | Uint8Array)[]) {
    this.#list = list;
  }

  get(name: string): Uint8Array | undefined {
    const list = this.#list;
    for (let at = list.length - 2; at >= 0; at -= 2) if (list[at] === name) return list[at + 1] as Uint8Array;
    return undefined;
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Uint8Array]> {
    const list = this.#list;
    for (let at = 0; at < list.length; at += 2) yield [list[at] as string, list[at + 1] as Uint8Array];
  }
}
