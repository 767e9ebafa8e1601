import type { Catalogue, CatalogueEvent, JsonSchema } from '../catalogue/index.js';

/** Twelve events, flat and nested, with payloads of 580 bytes on average. */
const names = [
  'account.created-v1',
  'agreement.rollover.completed-v1',
  'billing.billing_document.held-v1',
  'billing.ledger.entry_posted-v2',
  'contract-groups.version-created-v1',
  'flex_device.optimisation_created-v1',
  'ink.conversation.closed-v1',
  'lifecycle.join-supplier.requested-v1',
  'lifecycle.leave-supplier.completed-v3',
  'meterpoint.gas.backfill-v1',
  'meterpoint.gas.cos_gain.mtd_received-v1',
  'meterpoint.gas.disputed_closing_reading.started.by_us-v1',
];

interface SampleEvent {
  readonly event: CatalogueEvent;
  readonly payload: unknown;
}

/** Returns one valid payload per event, the same in every run. */
export async function sampleEvents(catalogue: Catalogue): Promise<SampleEvent[]> {
  return Promise.all(
    names.map(async (name) => {
      const event = catalogue.named(name);
      if (event === undefined) throw new Error(`The catalogue has no event "${name}". Choose another one.`);
      const schema = await catalogue.schema(event);
      return { event, payload: valueOf(schema, schema.$defs ?? {}, 'payload') };
    }),
  );
}

function valueOf(schema: JsonSchema, shapes: Readonly<Record<string, JsonSchema>>, field: string): unknown {
  if (schema.$ref !== undefined) {
    return valueOf(shapes[schema.$ref.slice('#/$defs/'.length)] ?? {}, shapes, field);
  }
  switch (schema.type) {
    case 'string':
      return field.endsWith('_at') ? '2026-03-01T09:30:00+00:00' : `${field}-1B2C3D4E`.slice(-18);
    case 'integer':
      return 1_234_567;
    case 'number':
      return 1.5;
    case 'boolean':
      return true;
    case 'array':
      return [1, 2].map(() => valueOf(schema.items ?? {}, shapes, field));
    case 'object':
    case undefined:
    default: {
      const fields = Object.entries(schema.properties ?? {});
      return Object.fromEntries(fields.map(([name, each]) => [name, valueOf(each, shapes, name)]));
    }
  }
}
