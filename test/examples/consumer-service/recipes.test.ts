import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { run } from '../../command.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const [github, gitlab] = [...read('docs/ci.md').matchAll(/^```yaml\n([^]*?)^```/gm)].map((match) =>
  load(match[1] ?? ''),
) as [GithubRecipe, GitlabRecipe];

interface GithubRecipe {
  readonly jobs: { readonly contract: { readonly steps: readonly { readonly run?: string }[] } };
}

interface GitlabRecipe {
  readonly contract: {
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: { readonly junit: readonly string[] } };
  };
}

it('the recipe for GitHub Actions is the workflow of the example', () => {
  expect(load(read('examples/consumer-service/.github/workflows/contract.yml'))).toEqual(github);
});

it('the recipe for GitLab hands in the reports that its script writes', () => {
  const { script, artifacts } = gitlab.contract;
  for (const report of artifacts.reports.junit) expect(script.join('\n')).toContain(report);
});

it('the recipes verify by options that there are', async () => {
  const commands = [...github.jobs.contract.steps.map((step) => step.run ?? ''), ...gitlab.contract.script];
  const verifying = commands.filter((command) => command.startsWith('npx emulate verify '));
  expect(verifying).toHaveLength(2);
  const { stdout } = await run('emulate', ['verify', '--help']);
  for (const [, option = ''] of verifying.join(' ').matchAll(/ (--[a-z]+)/g))
    expect(stdout).toContain(option);
});
