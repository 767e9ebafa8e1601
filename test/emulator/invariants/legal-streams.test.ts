import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scenarios, groundTruthOf } from '../../../emulator/index.js';
import { startCheck } from '../../../emulator/invariants/check.js';
import type { StreamEvent } from '../../../emulator/invariants/invariant.js';
import { cases } from '../../cases.js';
import { play } from '../scenarios/play.js';
import { check, eventOf } from './streams.js';
import { live } from './worldly.js';

const names = scenarios.map(({ name }) => name);
const hour = 3_600_000;
const everything = async (seed: number) => (await play(names, { seed, instances: 2 })).map(eventOf);

/** The events with some of them later in the stream, as a delay or another partition makes them. */
function displaced(events: readonly StreamEvent[], distances: readonly number[]): StreamEvent[] {
  return events
    .map((event, index) => ({ event, place: index + (distances[index % distances.length] ?? 0) }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

describe('startCheck, for legal streams', () => {
  it.each(scenarios.map(({ name, branches }) => [name, branches] as const))(
    'pass every invariant: %s, with every outcome and over many seeds',
    async (name, branches) => {
      const forced = Object.entries(branches).flatMap(([branch, outcomes]) =>
        Object.keys(outcomes).map((outcome) => ({ [branch]: outcome })),
      );
      for (const [index, outcome] of [
        ...Array.from({ length: cases(1, 20) }, () => ({})),
        ...forced,
      ].entries()) {
        const plan = { seed: index + 1, instances: 4, branches: outcome };
        const events = (await play(name, plan)).map(eventOf);
        const truth = await groundTruthOf({ scenario: name, ...plan });
        expect(check(events, { truth }), JSON.stringify(outcome)).toEqual([]);
      }
    },
  );

  it('accepts a population over months', async () => {
    const accounts = cases(25, 100);
    const plan = { scenario: 'everyday', seed: 5, accounts, duration: 150 * 24 * hour };
    const events = await play(plan.scenario, plan);
    expect(events.length).toBeGreaterThan(50 * accounts);
    expect(check(events.map(eventOf), { complete: false, truth: await groundTruthOf(plan) })).toEqual([]);
  });

  it('accepts a household that leaves soon after it has come back', () => {
    let ends = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const scenarios = { 'house-move': 0, 'switch-loss': 30 + (seed % 10) };
      const { events, truth } = live({ scenarios, seed, branches: { outcome: 'reversed', date: 'kept' } });
      expect(check(events, { truth })).toEqual([]);
      ends += events.filter(({ type }) => type === 'lifecycle.leave-supplier.completed').length;
    }
    expect(ends).toBeGreaterThan(45);
  });

  it('accepts a household with parallel instances', () => {
    const start = fc.record({ name: fc.constantFrom(...names), days: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(
        fc.array(start, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 50 }),
        (all, seed) => {
          const chosen = Object.fromEntries(all.map(({ name, days }) => [name, days]));
          const { events, truth } = live({ scenarios: chosen, seed });
          expect(check(events, { truth })).toEqual([]);
        },
      ),
      { numRuns: cases(4, 60) },
    );
  });

  it('accepts merged or concatenated shards', async () => {
    const part = async (index: number) =>
      (await play(names, { seed: 3, instances: 2, shard: { index, count: 3 } })).map(eventOf);
    const shards = [await part(1), await part(2), await part(3)];
    for (const shard of shards) expect(check(shard)).toEqual([]);
    expect(check(shards.flat())).toEqual([]);
    expect(check(shards.flat(), { held: 1 })).toEqual([]);
    const merged = shards.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(check(merged)).toEqual([]);
  });

  it('accepts repeated events', async () => {
    const events = await everything(4);
    expect(check(events.flatMap((event) => [event, event]))).toEqual([]);
    expect(check([...events, ...events.filter((_, index) => index % 7 === 0)])).toEqual([]);
  });

  it('accepts reordered events', async () => {
    const events = await everything(6);
    const distance = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(fc.array(distance, { minLength: 1, maxLength: 40 }), (distances) => {
        expect(check(displaced(events, distances))).toEqual([]);
      }),
      { numRuns: cases(5, 20) },
    );
  });

  it('accepts a stream filtered by type', async () => {
    const events = await everything(8);
    const types = [...new Set(events.map(({ type }) => type))];
    fc.assert(
      fc.property(fc.subarray(types), (wanted) => {
        const some = new Set(wanted);
        expect(check(events.filter(({ type }) => some.has(type)))).toEqual([]);
      }),
      { numRuns: cases(4, 100) },
    );
    const omitted = types.filter((_, index) => index % cases(8, 1) === 0);
    for (const left of omitted) expect(check(events.filter(({ type }) => type !== left))).toEqual([]);
  });

  it('accepts a stream of newest versions', async () => {
    const events = await everything(9);
    const twins = new Map(events.map((event) => [`${event.type} ${event.occurredAt}`, event]));
    expect(check([...twins.values()])).toEqual([]);
  });

  it('accepts a stream that begins or ends midway', async () => {
    const events = await everything(10);
    for (let cut = 0; cut < events.length; cut += Math.ceil(events.length / cases(10, 60))) {
      expect(check(events.slice(cut))).toEqual([]);
      expect(check(events.slice(0, cut), { complete: false })).toEqual([]);
    }
  });
});

describe('Violation', () => {
  it('contains identifiers, but no personal data', async () => {
    const events = await everything(11);
    const wrong = events.map((event) => ({ ...event, id: `${event.id}-again` }));
    const found = check([...events, ...wrong]);
    expect(found.length).toBeGreaterThan(20);
    for (const { entity, what } of found) {
      expect(`${entity} ${what}`).not.toMatch(/@|\b\d{13}\b|\b[A-Z]{1,2}\d{1,2} \d[A-Z]{2}\b/);
    }
  });

  it('reports a violation as soon as it is certain', () => {
    const paused = (id: string, occurredAt: string, type = 'dunning_path_paused'): StreamEvent => {
      return { id, type, version: 'v1', occurredAt, payload: { dunning_process_id: 'one' } };
    };
    const checking = startCheck({ held: 0 });
    expect(checking.see(paused('1', '2026-01-01T00:00:00Z'))).toEqual([]);
    // It may have been unpaused by an event that was filtered out.
    expect(checking.see(paused('2', '2026-01-02T00:00:00Z'))).toEqual([]);
    const found = checking.see(paused('3', '2026-01-03T00:00:00Z', 'dunning_path_unpaused'));
    expect(found).toEqual([
      {
        invariant: 'dunning-in-order',
        eventId: '2',
        event: 'dunning_path_paused-v1',
        entity: 'dunning process "one"',
        what: 'cannot come after "dunning_path_paused"',
      },
    ]);
  });
});
