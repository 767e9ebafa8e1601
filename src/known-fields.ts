import type { JsonSchema, Validator } from '../catalogue/index.js';

const freeKeywords = ['additionalProperties', 'patternProperties', 'anyOf', 'oneOf', 'if'];

type Check = (value: unknown) => boolean;

/**
 * Returns a check that a payload has only fields that its schema names, at every depth that the schema describes. Reads
 * `properties`, `items`, `allOf` and references into `$defs`.
 */
export function onlyKnownFields(schema: JsonSchema): Check {
  const shapes = new Map<string, Check>();
  const definitions = schema.$defs ?? {};

  const checkOf = (part: JsonSchema): Check | undefined => {
    const sources = [part, ...(part.allOf ?? [])].map((each) => resolved(each));
    // With these keywords the schema itself restricts other fields, and the validator checks them.
    if (sources.some((source) => freeKeywords.some((keyword) => keyword in source))) return undefined;
    const items = sources
      .flatMap(({ items }) => (items === undefined ? [] : [checkOfReference(items)]))
      .at(0);
    const named = sources.flatMap(({ properties }) =>
      properties === undefined ? [] : Object.entries(properties),
    );
    if (named.length === 0) {
      return items && ((value) => !Array.isArray(value) || value.every(items));
    }
    const fields = new Map(named.map(([name, field]) => [name, checkOfReference(field)]));
    const names = [...fields.keys()];
    const checks = [...fields.values()];
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
      const object = value as Readonly<Record<string, unknown>>;
      // Most objects have their fields in the order of the schema.
      let at = 0;
      for (const name in object) {
        if (names[at] !== name) at = names.indexOf(name);
        if (at === -1 || checks[at]?.(object[name]) === false) return false;
        at++;
      }
      return true;
    };
  };

  const resolved = (part: JsonSchema): JsonSchema => {
    const name = part.$ref?.slice(part.$ref.lastIndexOf('/') + 1);
    return name === undefined ? part : (definitions[name] ?? {});
  };

  /** Resolves a reference on first use, because a shape may contain itself. */
  const checkOfReference = (part: JsonSchema): Check | undefined => {
    const { $ref } = part;
    if ($ref === undefined) return checkOf(part);
    let check: Check | undefined;
    return (value) => {
      if (check === undefined) {
        check = shapes.get($ref) ?? checkOf(part) ?? (() => true);
        shapes.set($ref, check);
      }
      return check(value);
    };
  };

  return checkOf(schema) ?? (() => true);
}

/** Checking the fields of every event would make dispatching half as slow again. */
const sampledOf = 16;

/** Returns the validator, which also checks the first valid payload and each sixteenth after it for unknown fields. */
export function sampled(validate: Validator, isKnown: Check, report: () => void): Validator {
  let count = 0;
  return (payload) => {
    if (!validate(payload)) return false;
    if (count++ % sampledOf === 0 && !isKnown(payload)) report();
    return true;
  };
}
