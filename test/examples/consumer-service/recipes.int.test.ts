import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { run } from '../../command.js';
import { commands, github, gitlab, isVerifying } from './recipes.js';

it('the recipe for GitHub Actions matches the workflow of the example', () => {
  const workflow = '../../../examples/consumer-service/.github/workflows/contract.yml';
  expect(load(readFileSync(new URL(workflow, import.meta.url), 'utf8'))).toEqual(github);
});

it('the recipe for GitLab uploads the reports of its script', () => {
  const { script, artifacts } = gitlab.contract;
  for (const report of artifacts.reports.junit) expect(script.join('\n')).toContain(report);
});

it('the recipes use existing options of emulate verify', async () => {
  const verifying = Object.values(commands).flat().filter(isVerifying);
  expect(verifying).toHaveLength(2);
  const { stdout } = await run('emulate', ['verify', '--help']);
  for (const [, option = ''] of verifying.join(' ').matchAll(/ (--[a-z]+)/g))
    expect(stdout).toContain(option);
});
