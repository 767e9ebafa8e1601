import { describe, expect, it } from 'vitest';
import { scenarios } from '../../../emulator/index.js';
import { invariants, themes } from '../../../emulator/invariants/index.js';
import { play } from '../scenarios/play.js';
import { check, eventOf } from './streams.js';
import { broken } from './violations.js';

describe('the invariants', () => {
  it('have each a name in kebab-case of its own, and a sentence', () => {
    const names = invariants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, statement } of invariants) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(statement).toMatch(/^[A-Z`].*\.$/);
    }
    expect(Object.values(themes).flat()).toEqual(invariants);
  });

  it.each(broken.map((each) => [each.invariant, each.how, each] as const))(
    '%s: catches that %s',
    async (invariant, _how, { scenario, branches, seed = 1, instances = 2, mutate }) => {
      const options = { seed, instances, ...(branches && { branches }) };
      const legal = (await play(scenario, options)).map(eventOf);
      expect(check(legal)).toEqual([]);
      const found = check(mutate(legal));
      expect(found.map((violation) => violation.invariant)).toContain(invariant);
    },
  );
});

void scenarios;
