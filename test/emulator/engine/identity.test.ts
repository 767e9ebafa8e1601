import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellCapacity, eventsPerCell, ordering } from '../../../emulator/engine/identity.js';

describe('the id of an event', () => {
  it('says when the event occurred, to the run that made it alone', () => {
    const [one, other] = [ordering(1), ordering(1, 'another run')];
    const at = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(at, fc.nat(cellCapacity - 1), fc.nat(eventsPerCell - 1), (instant, cell, number) => {
        const id = one.eventId(instant, one.placeOf(cell), number);
        expect(one.instantOf(id)).toBe(instant);
        expect(other.instantOf(id)).toBeUndefined();
      }),
    );
  });

  it('is not taken from any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.uuid({ version: 4 })),
        (text) => ordering(1).instantOf(text) === undefined,
      ),
    );
  });
});
