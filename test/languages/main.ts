/**
 * `npm run test:languages [-- --part i/n]`: runs the commands of `docs/guides/other-languages.md`, which generate models of
 * all events, and reads payloads with the models. Python must accept what Ajv accepts, and nothing else. Each language
 * must write a valid payload as it read it. The table of the page lists all exceptions. A part plays every n-th language.
 * `--keep` keeps the folder.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { run } from '../interop/command.js';
import { Outcomes } from '../interop/outcomes.js';
import { lastLine, providePackages, providePrograms, Unavailable } from '../interop/provide.js';
import { partOf } from '../part.js';
import { root } from '../read-sources.js';
import { readPage, type Section } from './page.js';
import { listPayloads, type Payload } from './payloads.js';
import { type Program, programs } from './programs.js';

const { values } = parseArgs({ options: { part: { type: 'string' }, keep: { type: 'boolean' } } });
const outcomes = new Outcomes();
const page = readPage();
const folder = mkdtempSync(join(tmpdir(), 'busbar-languages-'));
const ownEvents = join(import.meta.dirname, 'own-events');
try {
  const modelOf = await exportCatalogue();
  const payloads = await listPayloads(ownEvents);
  checkPayloads(payloads, [...modelOf.keys()]);
  for (const section of partOf(page.languages, values.part)) await check(section, payloads, modelOf);
} finally {
  if (values.keep) console.log(`Kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
outcomes.summarise();

/** Runs the first command of the page. Returns the name of the model of each event. */
async function exportCatalogue(): Promise<ReadonlyMap<string, string>> {
  writeFileSync(join(folder, 'busbar.config.json'), JSON.stringify({ catalogue: ownEvents }));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'src/cli/bin/busbar.js'), join(folder, 'node_modules/.bin/busbar'));
  await mustRun(page.exporting, folder);
  const { webhooks } = JSON.parse(readFileSync(join(folder, 'events.json'), 'utf8')) as {
    webhooks: Record<string, { post: { operationId: string } }>;
  };
  return new Map(
    Object.entries(webhooks).map(([event, { post }]) => [event, inPascalCase(post.operationId)]),
  );
}

function checkPayloads(payloads: readonly Payload[], events: readonly string[]): void {
  const what = `${payloads.length} payloads, with valid ones of all ${events.length} events`;
  const valid = new Set(
    payloads.filter(({ isValid }) => isValid).map(({ event, kind }) => `${event} ${kind}`),
  );
  const [missing] = events.flatMap((event) =>
    ['minimal', 'full'].filter((kind) => !valid.has(`${event} ${kind}`)).map((kind) => `${kind} ${event}`),
  );
  if (payloads.length < 10_000) outcomes.failed(what, 'fewer than 10,000');
  else if (missing !== undefined) outcomes.failed(what, `no valid ${missing}`);
  else outcomes.passed(what);
}

/** Generators write `tariff.changed-v1` as `TariffChangedV1`, and keep the title of a schema. */
function inPascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function check(
  section: Section,
  payloads: readonly Payload[],
  modelOf: ReadonlyMap<string, string>,
): Promise<void> {
  const { language } = section;
  const program = programs[language];
  if (program === undefined) throw new Error(`test/languages/programs.ts has no program for ${language}`);
  checkExcerpts(section, program);
  try {
    const cwd = await build(section, program, [...modelOf.values()]);
    const read = payloads.filter(({ isValid }) => isValid || program.isValidator);
    const lines = read.map(({ event, text }) => `${modelOf.get(event)} ${text}\n`);
    writeFileSync(join(cwd, 'payloads.txt'), lines.join(''));
    await mustRun(`${program.run} < payloads.txt > written.txt`, cwd);
    const written = readFileSync(join(cwd, 'written.txt'), 'utf8').trimEnd().split('\n');
    if (written.length === read.length) compare(language, read, written);
    else outcomes.failed(language, `wrote ${written.length} lines for ${read.length} payloads`);
  } catch (error) {
    if (error instanceof Unavailable) outcomes.notRun(language, error.message);
    else outcomes.failed(language, (error as Error).message);
  }
}

/** Checks that the page shows code of the program that runs here. */
function checkExcerpts({ language, excerpts }: Section, program: Program): void {
  const files = readFolder(join(import.meta.dirname, program.folder)).map(withoutIndentation);
  for (const excerpt of excerpts) {
    const isCopied = files.some((file) => file.includes(withoutIndentation(excerpt)));
    if (!isCopied) outcomes.failed(language, `no file of test/languages/${program.folder} has:\n${excerpt}`);
  }
}

/** Generates the models as the page says, and builds the program. Returns its folder. @throws {Unavailable} */
async function build(section: Section, program: Program, models: readonly string[]): Promise<string> {
  await providePrograms(program.needs);
  await providePackages(program.packages ?? []);
  const cwd = join(folder, program.folder);
  cpSync(join(import.meta.dirname, program.folder), cwd, { recursive: true });
  cpSync(join(folder, 'events.json'), join(cwd, 'events.json'));
  if (program.list !== undefined) writeFileSync(join(cwd, program.list.file), program.list.text(models));
  const [install = '', ...commands] = section.commands;
  for (const command of [program.prepare ?? 'true', install]) {
    const { code, output } = await shell(command, cwd);
    if (code !== 0) throw new Unavailable(`"${command}" failed: ${lastLine(output)}`);
  }
  for (const command of [...commands, program.build ?? 'true']) await mustRun(command, cwd);
  return cwd;
}

/** Compares how a language differs from Busbar with the exceptions of the page. */
function compare(language: string, payloads: readonly Payload[], written: readonly string[]): void {
  const found = new Map<string, Map<string, Payload>>();
  for (const [at, payload] of payloads.entries()) {
    const difference = differenceOf(payload, written[at] ?? '');
    if (difference === undefined) continue;
    const ofKind = found.get(payload.kind) ?? new Map<string, Payload>();
    found.set(payload.kind, ofKind.set(difference, ofKind.get(difference) ?? payload));
  }
  const failures = [...new Set([...found.keys(), ...Object.keys(page.exceptions)])].flatMap((kind) => {
    const differences = found.get(kind) ?? new Map<string, Payload>();
    const actual = [...differences.keys()].sort().join(', ');
    const listed = page.exceptions[kind]?.[language] ?? '';
    const [example] = differences.values();
    return actual === listed ? [] : [`${kind}: "${actual}", the page says "${listed}" (${example?.event})`];
  });
  const valid = payloads.filter(({ isValid }) => isValid).length;
  const invalid = payloads.length - valid;
  if (failures.length === 0) outcomes.passed(`${language}: ${valid} valid and ${invalid} invalid payloads`);
  for (const failure of failures) outcomes.failed(language, failure);
}

/** Returns how a language treats a payload otherwise than Busbar. */
function differenceOf({ text, isValid }: Payload, written: string): string | undefined {
  if (written === 'rejected') return isValid ? 'rejects' : undefined;
  if (!isValid) return 'accepts';
  return isDeepStrictEqual(JSON.parse(written), JSON.parse(text)) ? undefined : 'changes';
}

function readFolder(path: string): string[] {
  return readdirSync(path).map((file) => readFileSync(join(path, file), 'utf8'));
}

function withoutIndentation(code: string): string {
  return code.replaceAll(/^\s+/gm, '');
}

async function mustRun(command: string, cwd: string): Promise<void> {
  const { code, output } = await shell(command, cwd);
  if (code !== 0) throw new Error(`"${command}" ended with ${code}:\n${output}`);
}

/** Runs a command with the programs that an earlier one installed in the folder. */
function shell(command: string, cwd: string): ReturnType<typeof run> {
  const bin = join(cwd, 'bin');
  const env = { PATH: `${bin}:${process.env['PATH']}`, GOBIN: bin };
  return run('bash', ['-euo', 'pipefail', '-c', command], { cwd, env, timeoutMs: 300_000 });
}
