import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { type OutgoingEvent, scenarios, startEmulator } from '../../../emulator/index.js';
import { check, eventOf } from '../invariants/streams.js';
import { play } from '../scenarios/play.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-versions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = (emissions: readonly OutgoingEvent[]) => emissions.map((each) => each.bytes.toString());
const moves = { instances: 12, seed: 3 } as const;
const latest = { ...moves, versions: 'latest' } as const;

describe('a run of the latest versions only', async () => {
  const catalogue = openCatalogue();
  const names = scenarios.map(({ name }) => name);
  const all = await play(names, { seed: 2, instances: 4 });
  const newest = await play(names, { seed: 2, instances: 4, versions: 'latest' });

  it('sends the newest version of each occurrence with unchanged bytes', () => {
    const order = ({ envelope }: OutgoingEvent) =>
      catalogue.versionsOf(envelope.event_type).indexOf(envelope.version);
    const byOccurrence = new Map<string | undefined, OutgoingEvent>();
    for (const emission of all) {
      const occurrence = emission.headers['occurrence-id'];
      const known = byOccurrence.get(occurrence);
      if (known === undefined || order(emission) > order(known)) byOccurrence.set(occurrence, emission);
    }
    expect(byOccurrence.size).toBeLessThan(all.length);
    expect(bytes(newest)).toEqual(bytes([...byOccurrence.values()]));
    expect(newest.map(({ headers }) => headers)).toEqual(
      [...byOccurrence.values()].map(({ headers }) => headers),
    );
  });

  it('keeps every invariant', () => {
    expect(check(newest.map(eventOf))).toEqual([]);
  });

  it('matches its shards, merged by id', async () => {
    const shards = await Promise.all(
      [1, 2, 3].map((index) => play('house-move', { ...latest, shard: { index, count: 3 } })),
    );
    expect(bytes(shards.flat()).sort()).toEqual(bytes(await play('house-move', latest)));
  });

  it('resumes its recording with the same versions and refuses others', async () => {
    const path = join(folder, 'latest.ndjson');
    await play('house-move', { ...latest, run: { record: path } });
    const whole = readFileSync(path, 'utf8');
    const header = JSON.parse(whole.split('\n', 1)[0] ?? '') as { options: { versions: string } };
    expect(header.options.versions).toBe('latest');
    const torn = whole.slice(0, whole.length / 2);
    writeFileSync(path, torn);
    await expect(play('house-move', { ...moves, run: { resume: path } })).rejects.toThrow(
      'has another "versions"',
    );
    await play('house-move', { ...latest, run: { resume: path } });
    expect(readFileSync(path, 'utf8')).toBe(whole);
  });

  it('accepts known values of "versions" only', async () => {
    const versions = 'newest' as 'latest';
    await expect(startEmulator({ scenario: 'house-move', versions, sinks: [] })).rejects.toThrow(
      '"versions" must be "all" or "latest", not "newest".',
    );
  });
});
