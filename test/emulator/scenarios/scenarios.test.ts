import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { scenarios } from '../../../emulator/index.js';
import { exploreScenario } from '../../../emulator/scenarios/explore.js';
import { play, retell } from './play.js';

const catalogue = openCatalogue();

describe('the built-in scenarios', () => {
  it('are one file each, all of them listed', () => {
    const machinery = ['define.ts', 'explore.ts', 'find.ts', 'index.ts', 'keep-to-cell.ts'];
    const shared = ['final-bill.ts', 'import-from-outside.ts', 'import-input.ts', 'joining.ts'];
    const notScenarios = [...machinery, ...shared];
    const files = readdirSync(new URL('../../../emulator/scenarios', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.replace(/^.*\//, ''))
      .filter((file) => !notScenarios.includes(file));
    expect(files.sort()).toEqual(scenarios.map(({ name }) => `${name}.ts`).sort());
  });

  it('together send every event version of the catalogue', () => {
    const sent = scenarios.flatMap((scenario) =>
      exploreScenario(scenario).flatMap(({ type, versions }) =>
        versions.map((version) => `${type}-${version}`),
      ),
    );
    const missing = catalogue.events.map(({ name }) => name).filter((name) => !sent.includes(name));
    expect(missing).toEqual([]);
  });

  describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (name, scenario) => {
    it('has a title, a story and likelihoods that add up', () => {
      expect(scenario.title).toMatch(/^[A-Z].*[^.]$/);
      expect(scenario.story).toMatch(/\.$/);
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
      for (let seed = 1; seed <= 20; seed++) {
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

    it('tells this story with seed 1', async () => {
      await expect(retell(await play(name, { seed: 1 }))).toMatchFileSnapshot(`./stories/${name}.txt`);
    });
  });
});
