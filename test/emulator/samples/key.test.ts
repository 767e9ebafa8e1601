import { describe, expect, it } from 'vitest';
import type { keyEntities } from '../../../catalogue/index.js';
import { type CatalogueEvent, openCatalogue } from '../../../catalogue/index.js';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { createSampler, sampleRoom, type SampleOptions } from '../../../emulator/samples/sampler.js';
import { objectionToKey } from '../../../emulator/world/belonging.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';

const catalogue = openCatalogue();
const seed = 11;
const sampler = await createSampler({ catalogue, seed });
const world = worldOf({ seed, start: defaultStart, cells: 0, room: sampleRoom });

const keyOf = (event: CatalogueEvent, nth: number, options: SampleOptions = {}) =>
  sampler.keyOf(event, sampler.sample(event, { ...options, nth }), nth);

/** A field by which each entity can be set, in an event that has it. */
const settable: Readonly<Record<keyof typeof keyEntities, readonly [string, string, string | number]>> = {
  account: ['account.created-v1', 'account_number', 'A-1B2C3D4E'],
  user: ['account_user.verification_started-v1', 'user_number', 'U-1B2C3D4E'],
  business: ['business.created-v1', 'id', 4711],
  lead: ['leads.lead.stage-updated-v1', 'lead_number', 'LE-1B2C3D4E'],
  'contract-group': ['contract-groups.created-v1', 'contract_group_identifier', 'a group'],
  'internal-company': ['internal_company.created-v1', 'id', 'a company'],
  'access-role': ['customer_access.user_roles.created-v1', 'code', 'CLEANER'],
  'uploaded-file': ['external_messaging.uploaded_file.safe-v1', 'file_reference', 'a file'],
  'import-process': ['data_import.import_process.cancelled-v1', 'external_identifier', 'EXT-1'],
  'imported-order': ['data_import.order_process.cancelled-v1', 'external_order_id', 'ORD-1'],
  'duos-invoice': ['billing.duos_invoice.new-v1', 'invoice_event_id', 4712],
  'portfolio-run': ['billing.portfolio_invoice_summary.completed-v1', 'run_identifier', 'PIS-202603-7'],
};

describe('keyOf', () => {
  it.each(catalogue.events.map((event) => [event.name, event.key, event] as const))(
    'returns the key of the household for %s, an event of entity "%s"',
    (_name, entity, event) => {
      for (let nth = 0; nth < 3; nth++) {
        // The sampler's nth sample is about the household of cell n + 1.
        const cell = openCell(world, nth + 1);
        for (const fields of ['usual', 'minimal', 'full'] as const) {
          const key = keyOf(event, nth, { fields });
          expect(objectionToKey(cell, entity, key)).toBeUndefined();
        }
      }
    },
  );

  it('returns the identifier set in the payload, for every entity', () => {
    for (const [entity, [name, path, value]] of Object.entries(settable)) {
      const event = catalogue.named(name)!;
      expect(event.key).toBe(entity);
      expect(keyOf(event, 3, { overrides: { [path]: value } })).toBe(String(value));
      expect(keyOf(event, 3)).not.toBe(String(value));
    }
  });

  it("returns the sample's key if the field is missing or mistyped", () => {
    const event = catalogue.named('business.created-v1')!;
    const usual = keyOf(event, 4);
    expect(sampler.keyOf(event, {}, 4)).toBe(usual);
    expect(sampler.keyOf(event, { id: 'not a number' }, 4)).toBe(usual);
    const account = catalogue.named('account.created-v1')!;
    expect(sampler.keyOf(account, { account_number: 0 }, 4)).toBe(keyOf(account, 4));
  });

  it('returns an account number for a custom entity', async () => {
    const schema = {
      $id: 'kiosk.opened-v1',
      title: 'KioskOpenedV1',
      'x-event-type': 'kiosk.opened',
      'x-event-version': 'v1',
      'x-busbar-key': 'kiosk',
      type: 'object',
      properties: { kiosk_name: { type: 'string' } },
    };
    const own = openCatalogue({ events: [schema] });
    const event = own.named('kiosk.opened-v1')!;
    expect((await createSampler({ catalogue: own, seed })).keyOf(event, {}, 0)).toMatch(/^A-[\dA-F]{8}$/);
  });
});
