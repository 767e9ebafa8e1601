import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellCapacity, eventsPerCell, ordering } from '../../../emulator/engine/identity.js';

describe('the id of an event', () => {
  it('returns the instant of an id of the same run only', () => {
    const [one, other] = [ordering(1), ordering(1, 'another run')];
    const at = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(at, fc.nat(cellCapacity - 1), fc.nat(eventsPerCell - 1), (instant, cell, number) => {
        const id = one.eventId(instant, one.rankOf(cell), number);
        expect(one.instantOf(id)).toBe(instant);
        expect(other.instantOf(id)).toBeUndefined();
      }),
    );
  });

  it('rejects any other text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.uuid({ version: 4 })),
        (text) => ordering(1).instantOf(text) === undefined,
      ),
    );
  });
});
