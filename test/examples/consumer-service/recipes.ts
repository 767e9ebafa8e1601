import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

interface GithubRecipe {
  readonly jobs: { readonly contract: { readonly steps: readonly { readonly run?: string }[] } };
}

interface GitlabRecipe {
  readonly contract: {
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: { readonly junit: readonly string[] } };
  };
}

const page = readFileSync(new URL('../../../docs/guides/ci.md', import.meta.url), 'utf8');

/** The recipes of docs/guides/ci.md. */
export const [github, gitlab] = [...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map((match) =>
  load(match[1] ?? ''),
) as [GithubRecipe, GitlabRecipe];

/** The command lines of each recipe, in order. */
export const commands = {
  'GitHub Actions': github.jobs.contract.steps.flatMap(({ run }) => run ?? []),
  GitLab: gitlab.contract.script,
} as const;

export function isVerifying(command: string): boolean {
  return command.startsWith('npx emulate verify ');
}
