import { existsSync } from 'node:fs';
import { BusbarError, quoted } from 'busbar/base';
import { fileOf, loadScenarios } from '../../run/load-scenario.js';
import type { PlanOptions } from '../../run/plan.js';
import type { PlatformScenario } from '../../scenarios/define.js';
import { type Delivery, describeDelivery, type Sent } from './delivery.js';
import { causeId, type Finding, type Problem, type Repro, reproFile } from './causes.js';

/** A failure in a file: the check, the plan of the world and the deliveries. */
export interface SavedFailure {
  readonly check: string;
  readonly subject: string;
  /** Seed and start time of the world, and the scenario if it matters. */
  readonly plan: PlanOptions;
  /** Path of the scenario's file; undefined for a built-in scenario. */
  readonly scenarioFile?: string;
  readonly rate?: Finding['rate'];
  /** Whether states are read after work that handlers leave open. Default false. */
  readonly lingers?: boolean;
  readonly deliveries: readonly Delivery[];
}

/** Returns a failure as JSON. The id of its cause names the file. */
export function writeRepro(
  { check, subject, plan: world, deliveries, rate, lingers }: Omit<SavedFailure, 'scenarioFile'>,
  problem: Problem,
): Repro {
  const { seed, instances, branches } = world;
  // A sequence has one scenario.
  const scenario = world.scenario as PlatformScenario | undefined;
  const plan = { scenario: scenario?.name, seed, instances, branches };
  const saved = { check, subject, rate, lingers, plan, scenarioFile: scenario && fileOf(scenario) };
  return reproOf(format, causeId(problem), { ...saved, deliveries });
}

/**
 * Parses a failure file for {@link replayFailure}.
 * @param file File name, for error messages.
 * @param content Text of the file.
 * @throws BusbarError `invalid-recording` for any other text
 */
export function readRepro(file: string, content: string): SavedFailure {
  return savedIn(format, content, `File ${quoted(file)} is not a failure file.`) as unknown as SavedFailure;
}

interface Saved {
  readonly deliveries: readonly Delivery[];
  readonly [member: string]: unknown;
}

/** Returns a failure as a file. The id of its cause names the file. @param rules A line for each fault around the records. */
export function reproOf(
  format: number | string,
  cause: string,
  { deliveries, ...saved }: Saved,
  rules: readonly string[] = [],
): Repro {
  const file = { repro: format, cause, ...saved, records: deliveries.map(lineOf) };
  return {
    file: reproFile(cause),
    content: `${JSON.stringify(file, null, 2)}\n`,
    deliveries: [...deliveries.map(describeDelivery), ...rules],
  };
}

/** Parses the content of a failure file. @throws BusbarError `invalid-recording` with the problem, for any other text */
export function savedIn(format: number | string, content: string, problem: string): Saved {
  try {
    const { repro, records, ...saved } = JSON.parse(content) as Saved & {
      readonly records: readonly RecordLine[];
    };
    if (repro !== format) throw new Error('It has another format.');
    return { ...saved, deliveries: records.map(deliveryOf) };
  } catch (cause) {
    throw new BusbarError('invalid-recording', `${problem} Run "emulate verify" again.`, { cause });
  }
}

/**
 * Returns the plan for the world of a saved failure.
 * @throws BusbarError `unknown-scenario` if the file or its scenario no longer exists; `scenario-failed`
 */
export async function worldOfFailure({ plan, scenarioFile: file }: SavedFailure): Promise<PlanOptions> {
  if (file === undefined) return plan;
  const name = typeof plan.scenario === 'string' ? plan.scenario : '';
  const where = `File ${quoted(file)} of the failed scenario ${quoted(name)}`;
  const advice = 'Replay in the folder of the verification, or run "emulate verify" again.';
  if (!existsSync(file)) throw new BusbarError('unknown-scenario', `${where} does not exist. ${advice}`);
  const scenario = (await loadScenarios(file)).find((each) => typeof each === 'object' && each.name === name);
  if (scenario === undefined)
    throw new BusbarError('unknown-scenario', `${where} no longer defines it. Run "emulate verify" again.`);
  return { ...plan, scenario };
}

const format = 2;

type SentLine = Omit<Sent, 'bytes'> & { readonly value?: string; readonly base64?: string };

/** A delivery as JSON. */
interface RecordLine extends SentLine {
  readonly faults: readonly string[];
  /** The record without faults: `true` for the same record, `false` for none. */
  readonly origin: boolean | SentLine;
}

function lineOf({ sent, faults, origin }: Delivery): RecordLine {
  const other = origin === undefined ? false : sentLine(origin);
  return { ...sentLine(sent), faults, origin: origin === sent ? true : other };
}

function sentLine({ bytes, ...sent }: Sent): SentLine {
  const value = bytes.toString();
  // Broken bytes aren't text.
  return Buffer.from(value).equals(bytes)
    ? { ...sent, value }
    : { ...sent, base64: bytes.toString('base64') };
}

function deliveryOf({ faults, origin, ...line }: RecordLine): Delivery {
  const sent = sentOf(line);
  if (typeof origin === 'object') return { sent, faults, origin: sentOf(origin) };
  return { sent, faults, origin: origin ? sent : undefined };
}

function sentOf({ value, base64, ...sent }: SentLine): Sent {
  return { ...sent, bytes: base64 === undefined ? Buffer.from(value ?? '') : Buffer.from(base64, 'base64') };
}
