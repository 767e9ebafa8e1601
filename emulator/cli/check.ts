import type { Readable } from 'node:stream';
import { boolean, BusbarError, nonEmptyText, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { catalogueFlag, type Console, defineCommand, jsonFlag } from 'busbar/internal/command-line';
import { startCheck, type Violation } from '../invariants/check.js';
import type { StreamEvent } from '../invariants/invariant.js';
import type { PlanOptions } from '../run/plan.js';
import { chunksOf } from '../run/recording/read-lines.js';
import { groundTruthOf, planOfRecording } from '../run/recording/same-run.js';
import { checkServed, servedInvariants, type ServedViolation } from '../served/index.js';
import { readEvents } from './event-lines.js';

export interface CheckArguments {
  /** Path of a recording or of lines of envelopes; `-` for standard input. */
  readonly file: string;
  readonly json?: boolean;
  /** Whether the stream ends complete, so that a missing event is a violation. */
  readonly complete?: boolean;
}

export const command = defineCommand({
  args: {
    file: {
      type: nonEmptyText,
      isRequired: true,
      text: 'Recording or lines of envelopes, - for standard input',
    },
  },
  flags: {
    catalogue: catalogueFlag,
    complete: { type: boolean, text: 'Report events missing at the end of the stream' },
    json: { ...jsonFlag, text: 'Print lines of JSON' },
  },
  examples: ['check run.ndjson'],
  run: checkStream,
});

/** A problem in the form that `--json` prints. */
type Problem =
  | { readonly kind: 'broken-line'; readonly line: number; readonly what: string }
  | {
      readonly kind: 'invalid-event';
      readonly line: number;
      readonly eventId: string;
      readonly event: string;
      readonly what: string;
    }
  | ({ readonly kind: 'violation' } & (Violation | ServedViolation));

/**
 * Runs `emulate check`: validates a recording or lines of envelopes with the catalogue and the invariants. Prints each
 * problem as it is found, then a summary. Any problem sets the exit code to 1.
 * @throws BusbarError `invalid-option` for an unreadable file; `undecodable-record` for one without events; `file-failed`
 * for an output that cannot be written
 */
export async function checkStream(
  { file, json = false, complete = false }: CheckArguments,
  console: Pick<Console, 'write' | 'flush' | 'progress' | 'catalogue'>,
  input: Readable = process.stdin,
): Promise<void> {
  const catalogue = await console.catalogue();
  const advice = 'Give a recording, or "-" for standard input.';
  const lines = readEvents(file === '-' ? input : chunksOf(file, advice));
  let check = startCheck();
  let plan: PlanOptions | undefined;
  let last = -Infinity;
  let unknown: string | undefined;
  const counts = { events: 0, 'broken-line': 0, 'invalid-event': 0, violation: 0 };

  async function report(problems: readonly Problem[]): Promise<void> {
    for (const problem of problems) {
      counts[problem.kind]++;
      await print(json ? JSON.stringify(problem) : describe(problem));
    }
  }
  async function print(line: string): Promise<void> {
    console.write(`${line}\n`);
    await console.flush();
  }
  const violations = (found: readonly (Violation | ServedViolation)[]) =>
    found.map((violation) => ({ kind: 'violation', ...violation }) as const);

  let accounts = 0;
  const hideProgress = console.progress(() => {
    const events = `${counts.events.toLocaleString('en')} events checked`;
    return accounts === 0 ? events : `${events}, ${accounts.toLocaleString('en')} accounts read over HTTP`;
  });
  let hasContent = false;
  for await (const read of lines) {
    hasContent = true;
    if ('broken' in read) {
      await report([{ kind: 'broken-line', line: read.line, what: read.broken }]);
      continue;
    }
    if ('header' in read) {
      // A recording names its run. Playing the run again gives the ground truth.
      try {
        plan = await planOfRecording(file, read.header, catalogue);
        check = startCheck({ truth: await groundTruthOf(plan) });
      } catch (error) {
        if (!(error instanceof BusbarError)) throw error;
        unknown = error.message;
      }
      continue;
    }
    const { event, line } = read;
    counts.events++;
    last = Math.max(last, Date.parse(event.occurredAt));
    const objection = await objectionTo(catalogue, event);
    if (objection !== undefined) {
      const name = `${event.type}-${event.version}`;
      await report([{ kind: 'invalid-event', line, eventId: event.id, event: name, what: objection }]);
    }
    await report(violations(check.see(event)));
  }
  // A pipe from a command that failed is not a valid stream. A recording may be of a run without events.
  if (!hasContent) {
    const name = file === '-' ? 'Standard input' : `File ${quoted(file)}`;
    throw new BusbarError(
      'undecodable-record',
      `${name} has no events. Give a recording or lines of envelopes.`,
    );
  }
  await report(violations(check.end(complete)));
  if (plan !== undefined) {
    for await (const found of checkServed(plan, last, catalogue)) {
      accounts++;
      await report(violations(found));
    }
  }
  hideProgress();

  const served = servedInvariants.map(({ name }) => name);
  const skipped = plan === undefined ? [...check.skipped, ...served] : check.skipped;
  const summary = {
    events: counts.events,
    invariants: check.checked.length + (plan === undefined ? 0 : served.length),
    skipped,
    ...(unknown !== undefined && { unknown }),
    brokenLines: counts['broken-line'],
    invalidEvents: counts['invalid-event'],
    violations: counts.violation,
  };
  await print(json ? JSON.stringify({ kind: 'summary', ...summary }) : summarize(summary));
  if (summary.brokenLines + summary.invalidEvents + summary.violations > 0) process.exitCode = 1;
}

async function objectionTo(
  catalogue: Catalogue,
  { type, version, payload }: StreamEvent,
): Promise<string | undefined> {
  const event = catalogue.find(type, version);
  if (event === undefined) return 'the catalogue has no such event';
  const isValid = catalogue.loadedValidator(event) ?? (await catalogue.validator(event));
  if (isValid(payload)) return undefined;
  const [first] = await catalogue.explain(event, payload);
  return first === undefined
    ? 'the payload is not valid'
    : `the payload${first.pointer && ` at "${first.pointer}"`} ${first.message}`;
}

function describe(problem: Problem): string {
  switch (problem.kind) {
    case 'broken-line':
      return `line ${problem.line} is broken: ${problem.what}`;
    case 'invalid-event':
      return `line ${problem.line}: ${problem.event} ${problem.eventId}: ${problem.what}`;
    case 'violation':
      return [
        problem.invariant,
        ...('event' in problem ? [`${problem.event} ${problem.eventId}`] : []),
        `${problem.entity} ${problem.what}`,
      ].join(': ');
  }
}

function summarize(summary: {
  readonly events: number;
  readonly invariants: number;
  readonly skipped: readonly string[];
  /** Reason why a recorded run cannot be played again. */
  readonly unknown?: string;
  readonly brokenLines: number;
  readonly invalidEvents: number;
  readonly violations: number;
}): string {
  const { events, invariants, skipped, unknown } = summary;
  return [
    `${count(events, 'event')} checked against ${count(invariants, 'invariant')}.`,
    ...(skipped.length === 0
      ? []
      : [`NOT RUN: ${skipped.join(', ')}: only a recording names the run that they need.`]),
    ...(unknown === undefined ? [] : [`The recorded run cannot be played again: ${unknown}`]),
    `${count(summary.brokenLines, 'broken line')}, ${count(summary.invalidEvents, 'invalid event')}, ${count(summary.violations, 'violation')}.`,
  ].join('\n');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
