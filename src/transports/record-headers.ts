import type { RecordHeaders } from './transport.js';

/**
 * Headers as an object, in which a list repeats its name, or as pairs in which a name may repeat. Text becomes UTF-8.
 */
export type HeaderInput =
  | Readonly<Record<string, HeaderValue | readonly HeaderValue[] | null | undefined>>
  | Iterable<readonly [name: HeaderValue, value: HeaderValue]>;

type HeaderValue = string | Uint8Array;

/** Creates {@link RecordHeaders} from values in memory. */
export function recordHeaders(input: HeaderInput = []): RecordHeaders {
  const list: (string | Uint8Array)[] = [];
  const add = (name: HeaderValue, value: HeaderValue) =>
    list.push(
      typeof name === 'string' ? name : Buffer.from(name).toString(),
      typeof value === 'string' ? Buffer.from(value) : value,
    );
  if (Symbol.iterator in input) for (const [name, value] of input) add(name, value);
  else {
    for (const [name, values] of Object.entries(input)) {
      if (Array.isArray(values)) for (const value of values as readonly HeaderValue[]) add(name, value);
      else if (values !== undefined) add(name, (values as HeaderValue | null) ?? '');
    }
  }
  return new HeaderList(list);
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
