import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateApiTypes } from './api-types.js';
import { checkSources } from './check.js';
import { generateDecisions } from './decisions.js';
import { generateExports } from './exports.js';
import { loadSources, toDocuments } from './load.js';
import { generateMetadata } from './metadata.js';
import type { Outputs } from './outputs.js';
import { generateTypes } from './types.js';
import { generateValidators } from './validators.js';

const { values: options } = parseArgs({ options: { check: { type: 'boolean' }, root: { type: 'string' } } });
const check = options.check === true;
const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));

const sources = loadSources(join(root, 'catalogue'));
const complaints = checkSources(sources);
if (complaints.length > 0) {
  fail(complaints, 'Nothing was written.');
} else {
  const outputs = await generate();
  const stale = [...changedFiles(outputs), ...leftoverFiles(outputs)];
  if (!check) {
    write(outputs, stale);
  } else if (stale.length > 0) {
    fail(
      stale.map((path) => `${path} is not what the sources say.`),
      'Run: npm run generate',
    );
  } else {
    process.stdout.write(`All ${outputs.size} generated files are current.\n`);
  }
}

async function generate(): Promise<Outputs> {
  const documents = toDocuments(sources);
  return new Map([
    ...(await generateTypes(documents)),
    ...generateValidators(documents),
    ...generateMetadata(documents),
    ...(await generateExports(documents)),
    ...(await generateApiTypes(root)),
    ...generateDecisions(root),
  ]);
}

function changedFiles(outputs: Outputs): string[] {
  return [...outputs].filter(([path, content]) => read(path) !== content).map(([path]) => path);
}

/** Returns the files below `generated/` that no source yields any more. */
function leftoverFiles(outputs: Outputs): string[] {
  const folder = 'catalogue/generated';
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.([jt]s|json)$/.test(path) && !outputs.has(path));
}

function write(outputs: Outputs, stale: readonly string[]): void {
  for (const path of stale) {
    const content = outputs.get(path);
    if (content === undefined) {
      rmSync(join(root, path));
    } else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  }
  process.stdout.write(`${stale.length} of ${outputs.size} files written.\n`);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

function fail(lines: readonly string[], advice: string): void {
  process.stderr.write(`${[...lines, advice].join('\n')}\n`);
  process.exitCode = 1;
}
