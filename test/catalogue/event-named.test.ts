import { expect, it } from 'vitest';
import { builtInCatalogue } from '../../catalogue/catalogue.js';
import { eventNamed } from '../../catalogue/event-named.js';
import { openCatalogue } from '../../catalogue/open.js';

it('finds an event by its catalogue name, or the newest version of a type', () => {
  const catalogue = builtInCatalogue();
  expect(eventNamed(catalogue, 'account.created-v1').name).toBe('account.created-v1');
  expect(eventNamed(catalogue, 'billing.ledger.entry_posted').version).toBe('v2');
});

it('says what a schema lacks that should be an event', () => {
  const catalogue = openCatalogue({ shapes: [{ $id: 'tariff.changed-v1', type: 'object' }] });
  for (const name of ['tariff.changed-v1', 'tariff.changed'])
    expect(() => eventNamed(catalogue, name)).toThrow(
      `There is no event "${name}". "tariff.changed-v1" is a shape, because its schema lacks "x-event-type" and "x-event-version".`,
    );
});
