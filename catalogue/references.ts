import { stepsOf } from '../src/base/json-pointer.js';
import { isObject } from '../src/base/options.js';
import { decoded, type JsonSchema, mapSchemas, uriIn } from './schema.js';

/** A schema of the user. */
export interface Definition {
  readonly schema: JsonSchema;
  /** The file or the argument that defines it, such as `own/tariff.json` or `events[0]`. */
  readonly place: string;
  /** JSON pointer to it in a file with several. */
  readonly pointer?: string;
  /** Name of a shape. Default: the end of its `$id`, its title, or the name of its file. */
  readonly name?: string;
  /** Name of the file without `.json`. */
  readonly file?: string;
  /** URI of the file. */
  readonly uri?: string;
}

/** A definition with the name of its event or its shape. */
export type Named = Definition & { readonly name: string };

/** A definition with the URI that its references are relative to. */
export type Located = Named & { readonly uri: string };

/** A schema in a definition. */
export interface Place {
  readonly owner: Located;
  /** JSON pointer in the schema of the definition. */
  readonly pointer: string;
}

/**
 * Returns a function that finds the schema of a reference in a definition by the rules of JSON Schema: by the URI of its file
 * or its `$id`, with an anchor or a JSON pointer.
 */
export function finderIn(definitions: readonly Located[]) {
  const places = new Map<string, Place[]>();
  const add = (uri: string, owner: Located, pointer: string) => {
    const known = places.get(uri) ?? [];
    // A component of a document may also be the payload of an event.
    if (pointer !== '' || known.every((each) => each.owner.uri !== owner.uri))
      places.set(uri, [...known, { owner, pointer }]);
  };
  for (const owner of definitions) {
    add(`${owner.uri}#${named(owner.pointer ?? '')}`, owner, '');
    mapSchemas(
      owner.schema,
      ({ $id, $anchor }, { pointer, base }) => {
        if (typeof $id === 'string') add(plain(base), owner, pointer);
        if (typeof $anchor === 'string') add(plain(uriIn(`#${$anchor}`, base)), owner, pointer);
      },
      { pointer: '', base: owner.uri },
    );
  }
  return (reference: string, base: string, from: Located): Place | undefined => {
    const uri = plain(uriIn(reference, base));
    // The longest pointer to a definition in the document counts.
    for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1)) {
      const found = places.get(uri.slice(0, end)) ?? [];
      const place = found.find(({ owner }) => owner === from) ?? (found.length === 1 ? found[0] : undefined);
      const inside = place && { ...place, pointer: place.pointer + uri.slice(end) };
      if (inside && schemaAt(inside).schema !== undefined) return inside;
      if (end <= uri.indexOf('#') + 1) break;
    }
    return undefined;
  };
}

/** Returns the schema at a place, and the URI that it is relative to. */
export function schemaAt({ owner, pointer }: Place): { readonly schema: unknown; readonly base: string } {
  let base = owner.uri;
  let value: unknown = owner.schema;
  for (const step of stepsOf(pointer)) {
    if (isObject(value) && typeof value['$id'] === 'string') base = uriIn(value['$id'], base);
    const own = (name: string) => Object.getOwnPropertyDescriptor(Object(value), name)?.value as unknown;
    value = own(step) ?? (step === '$defs' ? own('definitions') : undefined);
  }
  return { schema: isObject(value) || typeof value === 'boolean' ? value : undefined, base };
}

/** Returns a URI with a fragment that is not encoded. */
function plain(uri: string): string {
  const [resource = '', fragment = ''] = uri.split(/#(.*)/s);
  return `${resource}#${named(decoded(fragment))}`;
}

/** Returns a JSON pointer with the present name for definitions. */
function named(pointer: string): string {
  return pointer.replace(/^\/(?:definitions|components\/schemas)\//, '/$defs/');
}
