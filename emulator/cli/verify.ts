import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  boolean,
  BusbarError,
  choice,
  defined,
  didYouMean,
  nonEmptyText,
  number,
  quoted,
  readDuration,
  readText,
  safeMessage,
  whole,
} from 'busbar/base';
import { openCatalogue } from 'busbar/catalogue';
import type { FieldReads } from 'busbar/internal/catalogue';
import {
  catalogueFlag,
  type Console,
  defineCommand,
  envelopeFlag,
  flagsOf,
  type FlagTable,
  writeText,
} from 'busbar/internal/command-line';
import { verdictFile } from '../dashboard/last-verdict.js';
import {
  type Acceptance,
  type Cause,
  type CheckResult,
  type ContractReport,
  loadContract,
  type ReplayCommand,
  readRepro,
  recordFields,
  replayFailure,
  reportAsJson,
  reportAsJunit,
  reportForGithub,
  formatText,
  summaryForGithub,
  verifyConsumer,
  type VerifyOptions,
} from '../testing/index.js';
import { countsOf } from '../testing/report/text.js';
import type { LoadedServiceContract } from '../testing/service/contract.js';
import { accept, acceptFile, readAcceptances } from '../testing/verify/accept.js';
import { verifyOptions } from '../testing/verify/contract.js';
import { failingTest } from '../testing/verify/failing-test.js';

type Reporter = (report: ContractReport, module: string, replay: ReplayCommand) => string;

const reporters = {
  people: (report, _module, replay) => formatText(report, replay),
  junit: (report, _module, replay) => reportAsJunit(report, replay),
  json: reportAsJson,
  github: reportForGithub,
} satisfies Readonly<Record<string, Reporter>>;

export interface VerifyFlags extends Pick<VerifyOptions, 'seed' | 'runs' | 'only' | 'strict'> {
  readonly contract?: string;
  readonly budget?: number;
  readonly times?: number;
  readonly noMessages?: boolean;
  readonly accept?: string;
  readonly because?: string;
  readonly until?: string;
  readonly reporter?: keyof typeof reporters;
  readonly out?: string;
  readonly repro?: string;
  readonly json?: boolean;
  readonly catalogue?: readonly string[];
  readonly envelope?: unknown;
  readonly recordFields?: string;
}

const reportOptions = {
  contract: { type: nonEmptyText },
  budget: { type: number({ above: 0 }), unit: 'milliseconds' as const },
  times: { type: whole({ from: 1, to: 1_000 }), default: 1 },
  reporter: { type: choice(...Object.keys(reporters)), default: 'people' },
  out: { type: nonEmptyText, default: '.' },
  repro: { type: nonEmptyText },
  json: { type: boolean },
  recordFields: { type: nonEmptyText },
  accept: { type: nonEmptyText },
  because: { type: nonEmptyText },
  until: { type: nonEmptyText },
  noMessages: { type: boolean },
};

const verifyFlags: FlagTable<VerifyFlags> = {
  catalogue: catalogueFlag,
  envelope: envelopeFlag,
  ...flagsOf(
    { ...verifyOptions, ...reportOptions },
    {
      contract: ['<file>', 'Test the service of this contract, in a process of its own'],
      budget: [
        '<time>',
        'Time after the baseline (60s, or 12 times the baseline)',
        { read: readDuration, expected: 'a duration, e.g. 30s or 2m' },
      ],
      times: ['<n>', 'Times to repeat the failure of a service'],
      reporter: ['<format>', 'Format of the report: people, junit, json or github'],
      seed: ['<n>', 'Seed of samples, scenarios and faults'],
      runs: ['<n>', 'Random fault plans to try'],
      only: ['<check>', 'Checks to run, instead of all', { adds: 'several' }],
      strict: ['', 'Fail on warnings, and on checks that --budget cut'],
      noMessages: ['', 'Leave the messages of errors out of the report'],
      out: ['<folder>', 'Folder for the verdict and reproductions'],
      repro: ['<file>', 'Repeat only the failure in this file'],
      accept: ['<cause>', 'Accept a cause of the last verdict, and verify nothing'],
      because: ['<text>', 'Reason of --accept, e.g. an issue number'],
      until: ['<date>', 'Last day of --accept, e.g. 2027-01-31'],
      recordFields: ['<file>', 'Write the fields that handlers read to this file'],
      json: ['', 'Print JSON, as --reporter json', { conflicts: ['reporter'] }],
    },
  ),
};

export const command = defineCommand({
  args: {
    module: { type: nonEmptyText, text: 'Module that exports "consumer" or a default' },
  },
  flags: verifyFlags,
  examples: ['verify ./dist/consumer.js', 'verify --contract contract.json'],
  endsProcess: true,
  run: verify,
});

/** Runs `emulate verify`: tests a consumer. A failed or suspected check sets the exit code to 1. */
async function verify(
  { module: named, ...flags }: VerifyFlags & { module?: string },
  console: Console,
): Promise<void> {
  if (flags.accept !== undefined) return acceptCause(flags.accept, flags);
  const module = flags.contract ?? named ?? console.config.contract;
  if (module === undefined) {
    const hint =
      flags.only === undefined
        ? 'Name it, give "--contract", or set "contract" in busbar.config.ts.'
        : 'Name it before "--only", which takes all words after it.';
    throw new BusbarError('invalid-option', `Argument <module> is missing. ${hint}`);
  }
  // Without this, Node exits silently when nothing is pending.
  let stall = () => {};
  const stalled = new Promise<never>((_resolve, reject) => {
    const message = `Module ${quoted(module)}, or a function that it exports, never resolves. Remove the endless wait.`;
    stall = () => reject(new BusbarError('invalid-module', message));
  });
  process.once('beforeExit', stall);
  const begun = performance.now();
  const hideProgress = console.progress(
    () => `Testing ${module}: ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  await Promise.race([runVerify(module, flags, console), stalled]).finally(() => {
    hideProgress();
    process.off('beforeExit', stall);
  });
}

async function runVerify(module: string, flags: VerifyFlags, console: Console): Promise<void> {
  const { repro, recordFields: file, noMessages = false } = flags;
  const { seed, runs, only, strict } = flags;
  // Stacks of compiled code show the lines of its sources.
  process.setSourceMapsEnabled(true);
  // JSON holds no consumer.
  const isService = flags.contract !== undefined || module.endsWith('.json');
  const tested = isService ? `--contract ${module}` : module;
  const loaded = isService
    ? await (await import('../testing/service/read-contract.js')).loadServiceContract(module)
    : await loadContract(module);
  const { world = {} } = console.config;
  const saved = repro === undefined ? undefined : await readText(repro);
  if ('folder' in loaded) {
    const report = await testService(loaded, saved, flags, console);
    if (report !== undefined) await finish(report, tested, flags, console);
    return;
  }
  const { consumer, contract } = loaded;
  const shared = defined({
    catalogue: await console.catalogue(),
    envelope: await console.envelope(),
    seed: world.seed,
  });
  const options = defined({ seed, runs, only, strict });
  const chosen = { ...shared, ...contract, ...options, messages: !noMessages };
  if (repro !== undefined && saved !== undefined) {
    const result = await replayFailure(consumer, readRepro(repro, saved), chosen);
    printReplay(result, result.reason === undefined ? '' : `: ${result.reason}`, flags, console);
    return;
  }
  const report = await verifyConsumer(consumer, { ...chosen, accepted: await acceptances() });
  await finish(report, tested, flags, console);
  if (file !== undefined) {
    // An own event without handlers shows `busbar catalogue diff` that the consumer ran with it.
    const builtIn = openCatalogue();
    const own = chosen.catalogue.events.filter(({ name }) => builtIn.named(name) === undefined);
    const reads = await recordFields(consumer, chosen);
    writeFields(file, { ...Object.fromEntries(own.map(({ name }) => [name, {}])), ...reads }, console);
  }
}

/** Tests a service. Returns the report; undefined after the replay of a saved failure. */
async function testService(
  { contract, folder }: LoadedServiceContract,
  saved: string | undefined,
  flags: VerifyFlags,
  console: Console,
): Promise<ContractReport | undefined> {
  const { repro = '', times = 1, budget, only, strict, noMessages = false } = flags;
  const { replayService, verifyService } = await import('../testing/verify-service.js');
  const catalogue = await console.catalogue();
  if (saved !== undefined) {
    const { readServiceRepro } = await import('../testing/service/repro.js');
    const failure = readServiceRepro(repro, saved);
    const { shown, of } = await replayService({ contract, folder }, failure, { catalogue, times });
    const { check: name, about: subject } = failure;
    const result = { name, subject, status: shown > 0 ? 'failed' : 'passed', shown, of } as const;
    printReplay(result, `: shown ${shown} of ${of} times`, flags, console);
    return undefined;
  }
  const seed = defined({ seed: flags.seed ?? contract.seed ?? console.config.world?.seed });
  const options = {
    ...defined({ only, strict, budget }),
    catalogue,
    accepted: await acceptances(),
    messages: !noMessages,
    today: new Date().toISOString().slice(0, 10),
    onVerdict: (results: readonly CheckResult[]) =>
      console.info(`${results[0]?.name ?? ''}: ${countsOf(results)}`),
  };
  return verifyService({ contract: { ...contract, ...seed }, folder }, options);
}

function printReplay(
  result: Pick<CheckResult, 'name' | 'subject' | 'status'>,
  outcome: string,
  { json }: VerifyFlags,
  console: Console,
): void {
  const { name, subject, status } = result;
  const text = `${status === 'failed' ? '✗' : '✓'} ${name} ${subject}${outcome}`;
  console.write(`${json ? JSON.stringify(result) : text}\n`);
  if (status === 'failed') process.exitCode = 1;
}

/** Prints and saves a report. @param tested Arguments that name the module or contract. */
async function finish(
  report: ContractReport,
  tested: string,
  { json, reporter = json ? 'json' : 'people', out = '.' }: VerifyFlags,
  console: Console,
): Promise<void> {
  const replay = (file: string) => `npx emulate verify ${tested} --repro ${join(out, file)}`;
  console.write(reporters[reporter](report, tested, replay));
  try {
    saveVerdict(report, tested, out);
  } catch (cause) {
    // Exit code 1 means that a check failed.
    throw report.passed ? new BusbarError('invalid-option', safeMessage(cause), { cause }) : cause;
  }
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (reporter === 'github' && summary) await appendFile(summary, summaryForGithub(report));
  if (!report.passed) process.exitCode = 1;
}

async function acceptances(): Promise<readonly Acceptance[]> {
  return existsSync(acceptFile) ? readAcceptances(await readText(acceptFile)) : [];
}

/** Runs `emulate verify --accept`: adds a cause of the last verdict to the file of acceptances. */
async function acceptCause(id: string, { because, until, out = '.' }: VerifyFlags): Promise<void> {
  if (because === undefined || until === undefined) {
    throw new BusbarError('invalid-option', `"--accept" needs "--because" and "--until". Add them.`);
  }
  const path = join(out, verdictFile);
  const { causes } = existsSync(path)
    ? (JSON.parse(await readText(path)) as ContractReport)
    : { causes: [] as readonly Cause[] };
  const cause = causes.find((each) => each.id === id);
  if (cause === undefined) {
    const hint = didYouMean(causes.map((each) => each.id)) || ' Run "emulate verify" first.';
    throw new BusbarError('invalid-option', `Cause ${quoted(id)} is not in ${quoted(path)}.${hint}`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const accepted = accept(await acceptances(), cause, { because, until, today });
  writeText(acceptFile, `${JSON.stringify({ accepted }, null, 2)}\n`, 'Make the folder writable.');
}

/** Writes the recorded fields, and reports those that count as read because a handler copies or serialises them. */
function writeFields(file: string, reads: FieldReads, console: Console): void {
  writeText(file, `${JSON.stringify(reads, null, 2)}\n`, 'Choose another file.');
  for (const [event, handlers] of Object.entries(reads)) {
    for (const [handler, pointers] of Object.entries(handlers)) {
      const whole = pointers.filter((pointer) => pointer.endsWith('/**'));
      if (whole.length === 0) continue;
      const read = `${event}: handler ${quoted(handler)} spreads, serialises or copies ${whole.join(', ')}`;
      console.info(`${read}, so all of it counts as read.`);
    }
  }
}

/** Saves the verdict, and a reproduction and a failing test of each cause. */
function saveVerdict(report: ContractReport, module: string, folder: string): void {
  const advice = 'Choose another folder with --out.';
  writeText(join(folder, verdictFile), reportAsJson(report), advice);
  for (const cause of report.causes) {
    const { repro } = cause.shown;
    if (repro === undefined) continue;
    writeText(join(folder, repro.file), repro.content, advice);
    // A reproduction of a service is replayed by the command that the report prints.
    if (module.startsWith('--')) continue;
    const { file, content } = failingTest(cause, repro, relative(folder, module));
    writeText(join(folder, file), content, advice);
  }
}
