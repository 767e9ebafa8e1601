import { describe, expect, it } from 'vitest';
import { keyEntities, type KeyEntity, openCatalogue } from '../../../catalogue/index.js';
import { type OutgoingEvent, scenarios } from '../../../emulator/index.js';
import { play } from './play.js';

const catalogue = openCatalogue();
const keyOf = ({ envelope: { event_type, version } }: OutgoingEvent) =>
  catalogue.find(event_type, version)?.key;

const wholeNumber = /^\d{7,15}$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Formats of each entity's identifiers. */
const forms: Readonly<Record<KeyEntity, RegExp>> = {
  account: /^A-[\dA-F]{8}$/,
  user: /^U-[\dA-F]{8}$/,
  business: wholeNumber,
  lead: /^LE-[\dA-F]{8}$/,
  'contract-group': uuid,
  'internal-company': uuid,
  'access-role': /^[A-Z]+(_[A-Z]+)*(_\d{7,15})?$/,
  'uploaded-file': uuid,
  'import-process': /^EXT-\d{7,15}$/,
  'imported-order': /^ORD-\d{7,15}$/,
  'duos-invoice': wholeNumber,
  'portfolio-run': /^PIS-\d{6}-\d{7,15}$/,
};

/** Members of a payload that identify the entity, where they are there. */
const members: Readonly<Record<KeyEntity, readonly string[]>> = {
  account: ['account_number'],
  user: ['user_number', 'account_user_number'],
  business: ['id'],
  lead: ['lead_number'],
  'contract-group': ['contract_group_identifier'],
  'internal-company': ['id'],
  'access-role': ['code'],
  'uploaded-file': ['file_reference'],
  'import-process': ['external_identifier', 'import_process_external_identifier'],
  'imported-order': ['external_order_id'],
  // Later messages about an invoice do not name the first.
  'duos-invoice': [],
  'portfolio-run': ['run_identifier'],
};

/** A run for every outcome of every branch of every scenario; given as the user's are, each is held to its cell. */
function playAll(): Promise<OutgoingEvent[][]> {
  const runs = scenarios.flatMap((scenario) => [
    play(scenario, { seed: 5, instances: 8 }),
    ...Object.entries(scenario.branches).flatMap(([branch, outcomes]) =>
      Object.keys(outcomes).map((outcome) =>
        play(scenario, { seed: 5, instances: 8, branches: { [branch]: outcome } }),
      ),
    ),
  ]);
  return Promise.all(runs);
}

describe('event keys', async () => {
  const runs = await playAll();
  const emissions = runs.flat();

  it('identify the entity in the schema, in all scenarios and branches', () => {
    const strange = emissions.filter((each) => !forms[keyOf(each) as KeyEntity].test(each.key));
    expect(strange.map(({ envelope, key, instance }) => [instance, envelope.event_type, key])).toEqual([]);
    const played = new Set(emissions.map(({ envelope }) => `${envelope.event_type}-${envelope.version}`));
    expect(played.size).toBe(catalogue.events.length);
    expect(new Set(emissions.map(keyOf))).toEqual(new Set(Object.keys(keyEntities)));
  });

  it('match the identifier in the payload', () => {
    const compared = new Set<KeyEntity>();
    for (const emission of emissions) {
      const entity = keyOf(emission) as KeyEntity;
      const payload = emission.envelope.payload as Record<string, unknown>;
      for (const member of members[entity].filter((each) => each in payload)) {
        if (String(payload[member]) !== emission.key)
          expect.fail(`${emission.envelope.event_type} has another key than its "${member}"`);
        compared.add(entity);
      }
    }
    expect(compared.size).toBe(Object.values(members).filter(({ length }) => length > 0).length);
  });

  it('agree across versions', () => {
    let shared = 0;
    for (const run of runs) {
      const keys = new Map<string | undefined, string>();
      for (const { headers, key } of run) {
        const known = keys.get(headers['occurrence-id']);
        if (known !== undefined) {
          expect(key).toBe(known);
          shared++;
        }
        keys.set(headers['occurrence-id'], key);
      }
    }
    expect(shared).toBeGreaterThan(100);
    for (const { type, key } of catalogue.events) {
      const keys = catalogue.versionsOf(type).map((version) => catalogue.find(type, version)?.key);
      expect(new Set(keys)).toEqual(new Set([key]));
    }
  });
});
