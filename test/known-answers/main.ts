/**
 * `npm run test:known-answers [-- --language L] [--seed N] [--seeds M] [--only NAME] [--part i/n]`: verifies
 * services whose verdict is known. A bug must be found under its diagnosis, in 95% of the seeds. Whether a kill comes
 * between two writes is partly chance: where one seed is played, and misses a bug, the next two must find it. In a
 * correct service nothing may fail, in any seed. A part plays every n-th service.
 */
import { parseArgs } from 'node:util';
import { Outcomes } from '../interop/outcomes.js';
import { Unavailable } from '../interop/provide.js';
import { languages, type Verify } from './languages.js';
import { partOf } from '../part.js';
import { type KnownService, knownServices } from './services.js';

const { values } = parseArgs({
  options: {
    language: { type: 'string', multiple: true, default: Object.keys(languages) },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    part: { type: 'string' },
  },
});
const first = readWhole('--seed', values.seed);
const count = readWhole('--seeds', values.seeds);
const outcomes = new Outcomes();
const prepared = new Map<string, Promise<Verify>>();
for (const { name, language, service } of partOf(values.language.flatMap(servicesOf), values.part)) {
  const label = `${name}, ${service.name}`;
  try {
    const verify = prepared.get(name) ?? language.prepare();
    prepared.set(name, verify);
    await check(label, service, await verify);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcomes.notRun(label, error.message);
  }
}
outcomes.summarise();

function servicesOf(name: string) {
  const language = languages[name] ?? refuse(`Language "${name}" does not exist`, Object.keys(languages));
  const known = knownServices(language.services);
  const { only = language.services } = values;
  const unknown = only.find((each) => !known.some((service) => service.name === each));
  if (unknown !== undefined) refuse(`Service "${unknown}" does not exist in ${name}`, language.services);
  return known
    .filter((service) => only.includes(service.name))
    .map((service) => ({ name, language, service }));
}

async function check(service: string, { name, diagnoses }: KnownService, verify: Verify): Promise<void> {
  const begun = performance.now();
  const isBug = diagnoses.length > 0;
  const wrong: string[] = [];
  const others = new Set<string>();
  let seeds = count;
  for (let seed = first; seed < first + seeds; seed++) {
    const failed = await failedCauses(verify(name, seed));
    const isRight = isBug
      ? failed.some(({ diagnosis }) => diagnoses.includes(diagnosis))
      : failed.length === 0;
    for (const { diagnosis } of failed) if (!diagnoses.includes(diagnosis)) others.add(diagnosis);
    const found = failed.map(
      ({ diagnosis, title, checks }) => `${diagnosis} (${title}; ${checks.join(', ')})`,
    );
    if (!isRight) wrong.push(`seed ${seed}: ${found.join('; ') || 'nothing'}`);
    if (isBug && !isRight && seeds === 1) seeds += 2;
  }
  const right = `${diagnoses.join(' or ') || 'silent'} in ${seeds - wrong.length} of ${seeds} seeds`;
  const seconds = ((performance.now() - begun) / 1000 / seeds).toFixed(1);
  const also = others.size === 0 ? '' : `, also ${[...others].join(', ')}`;
  const allowed = isBug ? (seeds > count ? 1 : Math.floor(seeds * 0.05)) : 0;
  if (wrong.length <= allowed) outcomes.passed(`${service}: ${right}${also}, ${seconds} s each`);
  else outcomes.failed(service, `${right}, but ${wrong.join('; ')}`);
}

interface Found {
  readonly diagnosis: string;
  readonly title: string;
  readonly checks: readonly string[];
}

/** Returns the causes that fail. A verification that ends with an error is one, without a diagnosis that is expected. */
async function failedCauses(causes: ReturnType<Verify>): Promise<readonly Found[]> {
  try {
    return (await causes).filter(({ status }) => status === 'failed');
  } catch (error) {
    return [
      { diagnosis: 'error', title: error instanceof Error ? error.message : String(error), checks: [] },
    ];
  }
}

function readWhole(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    console.error(`${option} "${text}" is not a whole number from 1.`);
    process.exit(2);
  }
  return value;
}

function refuse(what: string, known: readonly string[]): never {
  console.error(`${what}. Use one of ${known.join(', ')}.`);
  process.exit(2);
}
