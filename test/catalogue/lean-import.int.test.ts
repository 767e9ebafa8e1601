import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repository, runNode } from './run-node.js';

const entry = pathToFileURL(join(repository, 'dist/catalogue/index.js')).href;

/** Every module that Node resolves while it runs a script, as the resolver sees them. */
async function modulesLoadedBy(script: string): Promise<string[]> {
  const hooks = `import { writeSync } from 'node:fs';
    export async function resolve(specifier, context, next) {
      const resolved = await next(specifier, context);
      writeSync(1, resolved.url + '\\n');
      return resolved;
    }`;
  const preload = `import { register } from 'node:module'; register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))});`;
  const { code, stdout, stderr } = await runNode(
    // Hooks without a thread of their own need Node 22.15.
    '--disable-warning=DEP0205',
    '--import',
    `data:text/javascript,${encodeURIComponent(preload)}`,
    '--input-type=module',
    '--eval',
    script,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim().split('\n');
}

describe('importing busbar/catalogue', () => {
  it('loads neither ajv nor a schema nor a validator', async () => {
    const loaded = await modulesLoadedBy(
      `import { openCatalogue } from '${entry}'; openCatalogue().nearest('x');`,
    );
    expect(loaded).toContain(entry);
    expect(loaded.filter((url) => /ajv|schemas\.js|validators|node_modules/.test(url))).toEqual([]);
  });

  it('loads the validators in one file, without ajv', async () => {
    const loaded = await modulesLoadedBy(
      `import { openCatalogue } from '${entry}';
       const catalogue = openCatalogue();
       await catalogue.validator(catalogue.named('account.created-v1'));`,
    );
    expect(
      loaded
        .filter((url) => /ajv|schemas\.js|validators|node_modules/.test(url))
        .map((url) => url.replace(/^.*\//, '')),
    ).toEqual(['validators.js']);
  });
});

describe('explain() where Node compiles no code', () => {
  it('reports an invalid payload without its rule', async () => {
    const { stdout, stderr } = await runNode(
      '--disallow-code-generation-from-strings',
      '--input-type=module',
      '--eval',
      `import { openCatalogue } from '${entry}';
       const catalogue = openCatalogue();
       const event = catalogue.named('account.created-v1');
       console.log((await catalogue.validator(event))({}), (await catalogue.explain(event, {}))[0].rule);`,
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'false unexplained\n', stderr: '' });
  });
});

describe('loadCatalogue() where Node compiles no code', () => {
  it('asks for a start that fills the cache, and then needs none', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'busbar-cold-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    mkdirSync(join(directory, 'node_modules'));
    const tariff = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1', 'x-busbar-key': 'tariff' };
    writeFileSync(join(directory, 'tariff.json'), JSON.stringify({ ...tariff, type: 'object' }));
    const code = `import { loadCatalogue } from '${entry}';
      const load = () => loadCatalogue(['tariff.json'], { directory: ${JSON.stringify(directory)} });
      const shown = ({ code, message }) => console.log(code, message);
      await load().then((catalogue) => console.log(catalogue.hasType('tariff.changed')), shown);`;
    const start = async (...flags: string[]) =>
      (await runNode(...flags, '--input-type=module', '--eval', code)).stdout.trim();
    const flag = '--disallow-code-generation-from-strings';
    expect(await start(flag)).toBe(
      `invalid-option Node may not compile the catalogue with ${flag}. Start the program once without it: Busbar keeps the compiled schemas.`,
    );
    expect([await start(), await start(flag)]).toEqual(['true', 'true']);
  });
});

describe('importing busbar and busbar/kafka', () => {
  const built = (path: string) => pathToFileURL(join(repository, 'dist/src', path)).href;

  it('loads no consumer with busbar/kafka alone, as commands do', async () => {
    const loaded = await modulesLoadedBy(`import '${built('transports/kafka/index.js')}';`);
    expect(loaded).toContain(built('transports/kafka/index.js'));
    expect(loaded.filter((url) => url.includes('/dist/chunks/consumer'))).toEqual([]);
  });

  it('loads no part of a command, and no compiler of schemas', async () => {
    const loaded = await modulesLoadedBy(
      `import '${built('index.js')}'; import '${built('transports/kafka/index.js')}';`,
    );
    expect(loaded).toContain(built('transports/kafka/index.js'));
    expect(loaded.filter((url) => /command-line|yargs|flags|\/ajv\/|validators/.test(url))).toEqual([]);
  });
});
