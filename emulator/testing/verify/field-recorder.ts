import { inspect } from 'node:util';
import type { RunObserver } from 'busbar';
import { isFieldName, memberPointer } from 'busbar/base';
import type { Documents, JsonSchema } from 'busbar/catalogue';
import { alternativesOf, type FieldReads } from 'busbar/internal/catalogue';

/** Records the fields that handlers read, by a read-only view of each payload. Fields of a map are recorded as `*`. */
export class FieldRecorder {
  readonly #reads = new Map<string, Map<string, Set<string>>>();
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  readonly observer: RunObserver = {
    around: (event, { handler }, run) => {
      const name = `${event.type}-${event.version}`;
      const read = this.#reader(name, handler);
      // The upcast has read the version that arrived.
      if (event.upcastFrom !== undefined) this.#reader(`${event.type}-${event.upcastFrom}`, handler)('/**');
      const payload = this.#view(event.payload, this.#documents.events[name] ?? {}, '', read);
      Object.defineProperty(event, 'payload', { value: payload });
      // For example `structuredClone` rejects a view, and a view rejects changes.
      const fail = (error: unknown): never => {
        read('/**');
        throw error;
      };
      try {
        return run()?.catch(fail);
      } catch (error) {
        return fail(error);
      }
    },
  };

  get reads(): FieldReads {
    const handlers = (all: Map<string, Set<string>>) =>
      Object.fromEntries([...all].map(([handler, pointers]) => [handler, outermost(pointers)]));
    return Object.fromEntries([...this.#reads].map(([event, all]) => [event, handlers(all)]));
  }

  #reader(event: string, handler: string): Reader {
    const handlers = this.#reads.get(event) ?? new Map<string, Set<string>>();
    const pointers = handlers.get(handler) ?? new Set<string>();
    this.#reads.set(event, handlers.set(handler, pointers));
    return (pointer) => void pointers.add(pointer);
  }

  #view(value: unknown, schema: JsonSchema, pointer: string, read: Reader): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const parts = alternativesOf(schema, this.#documents.shapes)
      .filter(({ type }) => type === (Array.isArray(value) ? 'array' : 'object'))
      .map((each) => each.schema);
    const inside = (name: string, schemaIn: (part: JsonSchema) => unknown) => ({
      schema: { anyOf: parts.map(schemaIn).filter((each) => each !== undefined) } as JsonSchema,
      pointer: memberPointer(pointer, name),
    });
    const field = (key: string | symbol) => {
      if (typeof key === 'symbol') return undefined;
      if (Array.isArray(value)) return /^\d+$/.test(key) ? inside('*', ({ items }) => items) : undefined;
      const isNamedIn = ({ properties = {} }: JsonSchema) => Object.hasOwn(properties, key);
      if (parts.some(isNamedIn))
        return inside(key, (part) => (isNamedIn(part) ? part.properties?.[key] : undefined));
      // The language itself reads these, for example to await a value.
      if (key in Object.prototype || key === 'toJSON' || key === 'then') return undefined;
      const isMap = parts.some(({ properties, additionalProperties }) => !properties || additionalProperties);
      // A field that no schema names, maybe no longer.
      if (!isMap) return isFieldName(key) ? inside(key, () => undefined) : undefined;
      return inside('*', ({ additionalProperties }) => additionalProperties);
    };
    // `inspect`, and so `console.log`, reads what is behind a proxy.
    if (Object.isExtensible(value)) {
      const whole = () => {
        read(`${pointer}/**`);
        return Array.isArray(value) ? [...(value as unknown[])] : { ...value };
      };
      Object.defineProperty(value, inspect.custom, { value: whole, configurable: true });
    }
    return new Proxy(value, {
      get: (target, key, receiver) => {
        const own = field(key);
        if (own === undefined) return Reflect.get(target, key, receiver) as unknown;
        read(own.pointer);
        return this.#view(Reflect.get(target, key), own.schema, own.pointer, read);
      },
      has: (target, key) => {
        const own = field(key);
        if (own !== undefined) read(own.pointer);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        const own = field(key);
        if (own !== undefined) read(`${own.pointer}/**`);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys: (target) => {
        read(`${pointer}/**`);
        return Reflect.ownKeys(target).filter((key) => key !== inspect.custom);
      },
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
    });
  }
}

/** Reads every value in a state, which may have views of payloads in it. */
export function readAll(state: unknown, seen = new Set<unknown>()): void {
  if (typeof state !== 'object' || state === null || seen.has(state)) return;
  seen.add(state);
  const values: readonly unknown[] =
    state instanceof Map ? [...state].flat() : state instanceof Set ? [...state] : Object.values(state);
  for (const value of values) readAll(value, seen);
}

/** Returns the pointers in order, without those that another one with a final double star includes. */
function outermost(pointers: ReadonlySet<string>): string[] {
  const whole = [...pointers].filter((each) => each.endsWith('/**'));
  const isWithin = (pointer: string, all: string) =>
    pointer !== all && `${pointer}/`.startsWith(all.slice(0, -'**'.length));
  return [...pointers].filter((pointer) => !whole.some((all) => isWithin(pointer, all))).sort();
}

type Reader = (pointer: string) => void;
