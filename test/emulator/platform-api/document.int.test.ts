import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repository, runNode } from '../../catalogue/run-node.js';
import { serve } from './serve.js';

const path = 'catalogue/platform-api.openapi.json';

describe('the document of the REST API', () => {
  it('passes a linter, except for the slashes at the end of paths', async () => {
    const { stdout } = await runNode(
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      path,
      '--format',
      'json',
      '--skip-rule',
      'no-path-trailing-slash',
    );
    expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([]);
  });

  it('matches the served document and the served paths', async () => {
    const { get, ask, emulator } = await serve();
    const served = await get<{ paths: Record<string, object>; servers: { url: string }[] }>('openapi.json');
    const { servers, ...rest } = JSON.parse(
      readFileSync(new URL(path, `file://${repository}/`), 'utf8'),
    ) as typeof served;
    expect(served).toEqual({
      ...rest,
      servers: [{ url: `${emulator.url}/v1`, description: 'The emulator.' }],
    });
    expect(servers).toHaveLength(1);
    for (const [template, item] of Object.entries(served.paths)) {
      const { headers } = await ask(template.slice(1).replaceAll(/\{\w+\}/g, 'x'), { method: 'PATCH' });
      const methods = Object.keys(item).map((method) =>
        method === 'get' ? 'GET, HEAD' : method.toUpperCase(),
      );
      expect([template, headers.get('allow')]).toEqual([template, methods.join(', ')]);
    }
  });
});
