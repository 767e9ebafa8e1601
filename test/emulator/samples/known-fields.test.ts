import { expect, it } from 'vitest';
import { type JsonSchema, openCatalogue } from '../../../catalogue/index.js';
import { ruleFor } from '../../../emulator/samples/fields/index.js';
import { view } from '../../../emulator/samples/schema-view.js';

const { events, shapes } = await openCatalogue().documents();

/** Fields for which nothing is known but their type. */
function unknown(
  schema: JsonSchema | undefined,
  place: {
    readonly eventType: string;
    readonly shape: string | undefined;
    readonly names: readonly string[];
  },
): string[] {
  const seen = view(schema, shapes);
  if (seen.type === 'array') return unknown(seen.schema.items, place);
  if (seen.schema.properties !== undefined) {
    return Object.entries(seen.schema.properties).flatMap(([name, field]) =>
      unknown(field, { ...place, shape: seen.shape, names: [...place.names, name] }),
    );
  }
  return ruleFor(place) === undefined ? [`${place.eventType} ${place.names.join('.')}`] : [];
}

it('knows what every field of every event holds', () => {
  const left = openCatalogue().events.flatMap(({ name, type }) =>
    unknown(events[name], { eventType: type, shape: undefined, names: [] }),
  );
  expect(left).toEqual([]);
});

it('knows what every field of every shape holds, also of those that no event has yet', () => {
  const left = Object.keys(shapes).flatMap((shape) =>
    unknown({ $ref: `#/$defs/${shape}` }, { eventType: 'some.event', shape, names: ['field'] }),
  );
  expect(left).toEqual([]);
});

it('does not know what nobody has told it', () => {
  expect(ruleFor({ eventType: 'my.event', shape: undefined, names: ['colour'] })).toBeUndefined();
});
