import { createHash } from 'node:crypto';
import { BusbarError } from '../../../src/errors.js';
import { quoted } from '../../../src/quoted.js';
import type { PlanOptions } from '../../run/plan.js';
import { type Delivery, describeDelivery, type Sent } from './delivery.js';
import type { Repro } from './report.js';

/** A failure as it is kept in a file: which check fails, in which world, with which deliveries. */
export interface KeptFailure {
  readonly check: string;
  readonly subject: string;
  /** Seed and instant that the world begins with; the scenario, where it matters. */
  readonly plan: PlanOptions;
  readonly deliveries: readonly Delivery[];
}

/** Lines of JSON: a header, and a delivery each. The name of the file is made of what is in it. */
export function writeRepro({ check, subject, plan, deliveries }: KeptFailure): Repro {
  const header = { repro: format, check, subject, plan: plainPlan(plan) };
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
    const { repro, check, subject, plan } = header as KeptFailure & { readonly repro: number };
    if (repro !== format) throw new Error('It has another format.');
    return { check, subject, plan, deliveries: (lines as Line[]).map(deliveryOf) };
  } catch (cause) {
    const message = `File ${quoted(file)} is no failure that "emulate verify" has written. Verify anew.`;
    throw new BusbarError('invalid-recording', message, { cause });
  }
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

/** A scenario of a file is known by that file, not by its name: without it the world is the untouched one. */
function plainPlan({ scenario, seed, branches }: PlanOptions): PlanOptions {
  const name = typeof scenario === 'object' && 'name' in scenario ? scenario.name : scenario;
  return {
    ...(typeof name === 'string' && { scenario: name }),
    ...(seed !== undefined && { seed }),
    ...(branches !== undefined && { branches }),
  };
}
