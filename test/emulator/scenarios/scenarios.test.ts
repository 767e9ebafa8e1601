import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { scenarios } from '../../../emulator/index.js';
import { worldVersion } from '../../../emulator/world/version.js';
import { exploreScenario } from '../../../emulator/scenarios/explore.js';
import { findScenario } from '../../../emulator/scenarios/find.js';
import { cases } from '../../cases.js';
import { play, retell } from './play.js';

const catalogue = openCatalogue();

describe('built-in scenarios', () => {
  it('lists every defined scenario', () => {
    const folder = new URL('../../../emulator/scenarios/', import.meta.url);
    const defined = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /[\\/].*\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(/defineScenario\(\{\s+name: '([^']+)'/g),
      ])
      .map(([, name]) => name);
    expect(defined.sort()).toEqual(scenarios.map(({ name }) => name).sort());
  });

  it('list no conditions that a rare event only seems to have', () => {
    const when = (name: string, type: string) =>
      exploreScenario(findScenario(name)).find((event) => event.type === type)?.when;
    expect(when('billing-cycle', 'charging.priming.errored')).toEqual({ priming: ['errored'] });
    expect(when('house-move', 'lifecycle.join-supplier.reversed')).toEqual({ outcome: ['reversed'] });
  });

  describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (name, scenario) => {
    it('includes a title, a description and likelihoods that add up', () => {
      expect(scenario.title).toMatch(/^[A-Z].*[^.]$/);
      expect(scenario.description).toMatch(/\.$/);
      for (const outcomes of Object.values(scenario.branches)) {
        expect(Object.values(outcomes).reduce((sum, likelihood) => sum + likelihood, 0)).toBeCloseTo(1, 9);
      }
    });

    it('takes every outcome of every branch, with valid events only', async () => {
      for (const [branch, outcomes] of Object.entries(scenario.branches)) {
        for (const outcome of Object.keys(outcomes)) {
          const emissions = await play(name, { seed: 11, instances: 3, branches: { [branch]: outcome } });
          expect(emissions.length, `${branch}=${outcome}`).toBeGreaterThan(0);
        }
      }
    });

    it('sends valid events in the order of their ids, over many seeds', async () => {
      for (let seed = 1; seed <= cases(1, 20); seed++) {
        const emissions = await play(name, { seed, instances: 10 });
        const ids = emissions.map(({ envelope }) => envelope.id);
        expect(ids).toEqual([...new Set(ids)].sort());
        for (const { envelope } of emissions) {
          const event = catalogue.find(envelope.event_type, envelope.version);
          const valid = event && (await catalogue.validator(event));
          expect(valid?.(envelope.payload), envelope.event_type).toBe(true);
        }
      }
    });

    it('sends the recorded events with seed 1', async () => {
      const story = `World ${worldVersion}\n${retell(await play(name, { seed: 1 }))}`;
      await expect(story).toMatchFileSnapshot(`./stories/${name}.txt`);
    });
  });
});
