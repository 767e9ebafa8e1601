import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '../../../../emulator/index.js';
import { faultNames } from '../../../../emulator/run/faults/settings.js';
import { cases } from '../../../cases.js';
import { occupied, type Sent, through } from './faulty-run.js';

const everything =
  'duplicate=20%,reorder=20%:30s,delay=20%:2m,drop=10%,corrupt=10%,invalid=10%,unknown-event=10%,unknown-version=10%,extra-field=10%,burst=10x:30s:50%';
const moving = 'duplicate=20%,reorder=30%:30s,delay=20%:2m,burst=10x:30s:50%';

/** Events at growing instants, of a few keys. */
const streams = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 60_000 }), key: fc.integer({ min: 0, max: 4 }) }), {
    maxLength: 80,
  })
  .map((list) => {
    let at = Date.UTC(2026, 2, 2);
    return list.map(({ gap, key }, n) => occupied(n, (at += gap), `A-${key}`));
  });

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const idOf = ({ envelope }: OutgoingEvent) => envelope.id;
const bytesOf = ({ emissions }: Sent) => emissions.map(({ bytes }) => bytes.toString('latin1'));
const originals = (emissions: readonly OutgoingEvent[]) =>
  emissions.filter(({ faults }) => !faults.includes('duplicate'));

describe('faults of any stream', () => {
  it('depend on the seed and not on other events of the stream', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, async (stream, seed) => {
        const one = await through(everything, stream, { seed });
        const other = await through(everything, stream, { seed });
        expect(bytesOf(other)).toEqual(bytesOf(one));
        expect(other.ledger).toEqual(one.ledger);
        const half = stream.filter((_, n) => n % 2 === 0);
        const kept = new Set(half.map(idOf));
        const alone = await through(everything, half, { seed });
        expect(alone.ledger).toEqual(one.ledger.filter(({ event }) => kept.has(event)));
      }),
      { numRuns: cases(10, 50) },
    );
  });

  it('lose nothing but what is dropped, and add nothing but duplicates', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, async (stream, seed) => {
        const { emissions, ledger } = await through(everything, stream, { seed });
        const having = (name: string) =>
          ledger.filter(({ fault }) => fault === name).map(({ event }) => event);
        const dropped = new Set(having('drop'));
        const expected = stream.map(idOf).filter((id) => !dropped.has(id));
        expect(originals(emissions).map(idOf).sort()).toEqual(expected.sort());
        const copies = emissions.filter(({ faults }) => faults.includes('duplicate')).map(idOf);
        expect(copies.sort()).toEqual(having('duplicate').sort());
      }),
      { numRuns: cases(20, 100) },
    );
  });

  it('keep the order within a key, and send in the order of virtual time', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, async (stream, seed) => {
        const { emissions, sendings } = await through(moving, stream, { seed });
        for (const key of new Set(stream.map((each) => each.key))) {
          const ofKey = (list: readonly OutgoingEvent[]) => list.filter((each) => each.key === key).map(idOf);
          expect(ofKey(originals(emissions))).toEqual(ofKey(stream));
        }
        const instants = sendings.map(({ at }) => at);
        expect(instants).toEqual(instants.toSorted((one, other) => one - other));
        for (const { at, sentAt = at } of emissions) expect(sentAt).toBeGreaterThanOrEqual(at);
      }),
      { numRuns: cases(20, 100) },
    );
  });

  it('match the fault log exactly', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, async (stream, seed) => {
        const { emissions, ledger, counts } = await through(everything, stream, { seed });
        for (const emission of originals(emissions)) {
          const noted = ledger.filter(({ event }) => event === idOf(emission)).map(({ fault }) => fault);
          expect(noted.filter((fault) => fault !== 'duplicate')).toEqual(emission.faults);
        }
        for (const name of faultNames) {
          expect(counts.get(name) ?? 0).toBe(ledger.filter(({ fault }) => fault === name).length);
        }
      }),
      { numRuns: cases(10, 50) },
    );
  });

  it('change nothing if all are masked, and no other fault if one is', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, fc.constantFrom(...faultNames), async (stream, seed, masked) => {
        const none = await through(everything, stream, { seed, mask: () => false });
        expect(bytesOf(none)).toEqual(stream.map(({ bytes }) => bytes.toString('latin1')));
        expect(none.emissions).toEqual(stream);
        expect(none.ledger).toEqual([]);

        const all = await through(everything, stream, { seed });
        const some = await through(everything, stream, { seed, mask: (fault) => fault !== masked });
        // Without drops, other faults come to light; what was noted before is still there.
        const expected = all.ledger.filter(({ fault }) => fault !== masked);
        expect(some.ledger).toEqual(expect.arrayContaining(expected));
        if (masked !== 'drop') expect(some.ledger).toHaveLength(expected.length);
      }),
      { numRuns: cases(10, 50) },
    );
  });

  it('recur at a higher rate', async () => {
    await fc.assert(
      fc.asyncProperty(streams, seeds, async (stream, seed) => {
        const few = await through('drop=10%', stream, { seed });
        const many = await through('drop=40%', stream, { seed });
        expect(many.ledger).toEqual(expect.arrayContaining([...few.ledger]));
      }),
      { numRuns: 30 },
    );
  });
});

describe('the rate of a fault', () => {
  const stream = Array.from({ length: 20_000 }, (_, n) => occupied(n, n * 1000));

  it.each([
    ['duplicate=1%', 'duplicate', 0.01],
    ['drop=25%', 'drop', 0.25],
    ['corrupt=0.5%', 'corrupt', 0.005],
    ['invalid=5%', 'invalid', 0.05],
    ['extra-field=5%', 'extra-field', 0.05],
    ['unknown-event=2.5%', 'unknown-event', 0.025],
    ['unknown-version=10%', 'unknown-version', 0.1],
    ['delay=5%:10m', 'delay', 0.05],
    ['reorder=2%:30s', 'reorder', 0.02],
    ['drop=100%', 'drop', 1],
  ])('matches %s', async (faults, name, rate) => {
    const { counts } = await through(faults, stream);
    const expected = stream.length * rate;
    // Four standard deviations of a binomial distribution.
    const tolerance = 4 * Math.sqrt(expected * (1 - rate));
    expect(Math.abs((counts.get(name) ?? 0) - expected)).toBeLessThanOrEqual(tolerance);
  });
});
