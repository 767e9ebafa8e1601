import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { fileOf, loadScenarios } from '../../run/load-scenario.js';
import type { PlanOptions } from '../../run/plan.js';
import type { PlatformScenario } from '../../scenarios/define.js';
import { type Delivery, describeDelivery, type Sent } from './delivery.js';
import type { Repro } from './report.js';

/** A failure as it is kept in a file: which check fails, in which world, with which deliveries. */
export interface KeptFailure {
  readonly check: string;
  readonly subject: string;
  /** Seed and instant that the world begins with; the scenario, where it matters. */
  readonly plan: PlanOptions;
  /** The file that defines the scenario, as it was named; undefined for a built-in one. */
  readonly scenarioFile?: string;
  readonly deliveries: readonly Delivery[];
}

/** Lines of JSON: a header, and a delivery each. The name of the file is made of what is in it. */
export function writeRepro({ check, subject, plan, deliveries }: Omit<KeptFailure, 'scenarioFile'>): Repro {
  const { scenario, ...other } = plainPlan(plan);
  const scenarioFile = scenario && fileOf(scenario);
  const header = {
    repro: format,
    check,
    subject,
    plan: { ...(scenario && { scenario: scenario.name }), ...other },
    ...(scenarioFile !== undefined && { scenarioFile }),
  };
  const content = [header, ...deliveries.map(lineOf)].map((line) => `${JSON.stringify(line)}\n`).join('');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { file: `repro-${hash}.ndjson`, content, deliveries: deliveries.map(describeDelivery) };
}

/** @throws BusbarError `invalid-recording` for a text that is none */
export function readRepro(file: string, content: string): KeptFailure {
  try {
    const [header, ...lines] = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const { repro, ...kept } = header as KeptFailure & { readonly repro: number };
    if (repro !== format) throw new Error('It has another format.');
    return { ...kept, deliveries: (lines as Line[]).map(deliveryOf) };
  } catch (cause) {
    const message = `File ${quoted(file)} is no failure that "emulate verify" has written. Verify anew.`;
    throw new BusbarError('invalid-recording', message, { cause });
  }
}

/**
 * What the world of a kept failure is played from.
 * @throws BusbarError `unknown-scenario` where the file of its scenario is gone, or has it no more; `scenario-failed`
 */
export async function worldOfFailure({ plan, scenarioFile: file }: KeptFailure): Promise<PlanOptions> {
  if (file === undefined) return plan;
  const name = typeof plan.scenario === 'string' ? plan.scenario : '';
  const where = `The failure was found in scenario ${quoted(name)} of file ${quoted(file)}, which`;
  const advice = 'Replay it in the folder in which it was found, or verify anew.';
  if (!existsSync(file)) throw new BusbarError('unknown-scenario', `${where} is not there. ${advice}`);
  const scenario = (await loadScenarios(file)).find((each) => typeof each === 'object' && each.name === name);
  if (scenario === undefined)
    throw new BusbarError('unknown-scenario', `${where} has it no more. Verify anew.`);
  return { ...plan, scenario };
}

const format = 1;

type SentLine = Omit<Sent, 'bytes'> & { readonly value?: string; readonly base64?: string };

interface Line extends SentLine {
  readonly faults: readonly string[];
  /** What would have been sent without faults: `true` for the same, `false` for nothing. */
  readonly origin: boolean | SentLine;
}

function lineOf({ sent, faults, origin }: Delivery): Line {
  const other = origin === undefined ? false : sentLine(origin);
  return { ...sentLine(sent), faults, origin: origin === sent ? true : other };
}

function sentLine({ bytes, ...sent }: Sent): SentLine {
  const value = bytes.toString();
  // Broken bytes are no text.
  return Buffer.from(value).equals(bytes)
    ? { ...sent, value }
    : { ...sent, base64: bytes.toString('base64') };
}

function deliveryOf({ faults, origin, ...line }: Line): Delivery {
  const sent = sentOf(line);
  if (typeof origin === 'object') return { sent, faults, origin: sentOf(origin) };
  return { sent, faults, origin: origin ? sent : undefined };
}

function sentOf({ value, base64, ...sent }: SentLine): Sent {
  return { ...sent, bytes: base64 === undefined ? Buffer.from(value ?? '') : Buffer.from(base64, 'base64') };
}

/** What a failure's world depends on. Courses are of one scenario each, and never named. */
function plainPlan({ scenario, seed, instances, branches }: PlanOptions) {
  return {
    ...(scenario !== undefined && { scenario: scenario as PlatformScenario }),
    ...(seed !== undefined && { seed }),
    ...(instances !== undefined && { instances }),
    ...(branches !== undefined && { branches }),
  };
}
