import { BusbarError, didYouMean, nearest, quoted, readDuration } from 'busbar/base';
import { day } from '../../engine/time.js';

/** Faults of the delivery, in the order of their decisions. */
export const faultNames = [
  'drop',
  'invalid',
  'extra-field',
  'unknown-event',
  'unknown-version',
  'corrupt',
  'duplicate',
  'delay',
  'reorder',
  'burst',
] as const;

/** Name of a fault. */
export type FaultName = (typeof faultNames)[number];

/**
 * Faults as a string, `duplicate=1%,reorder=2%:30s`, with one fault per line in a file (`#` starts a comment), or as an object,
 * `{ duplicate: '1%', reorder: '2%:30s' }`, also in JSON. `docs/guides/faults.md` lists the faults.
 */
export type Faults =
  | string
  | ({ readonly [Name in FaultName]?: string } & {
      readonly 'reorder-within-key'?: boolean;
      readonly only?: string;
    });

/** Rates of faults, from 0 to 1, and their times, in milliseconds of virtual time. */
export interface FaultSettings {
  readonly rates: Readonly<Partial<Record<FaultName, number>>>;
  readonly delayBy: number;
  readonly reorderWithin: number;
  /** Whether later events of the same key may overtake a reordered event. */
  readonly reorderWithinKey: boolean;
  /** Event type, with `*` for any text, to which faults other than bursts happen; undefined for all. */
  readonly only: string | undefined;
  /** Bursts of `factor` times the usual number of events, for `within` milliseconds. */
  readonly burst: { readonly factor: number; readonly within: number } | undefined;
}

/** Parses faults. @throws BusbarError `invalid-option`, naming the invalid fault */
export function readFaults(faults: Faults): FaultSettings {
  const rates: Partial<Record<FaultName, number>> = {};
  let delayBy = 0;
  let reorderWithin = 0;
  let reorderWithinKey = false;
  let only: string | undefined;
  let burst: FaultSettings['burst'];
  for (const [name, value] of entriesOf(faults)) {
    if (name === 'reorder-within-key') {
      reorderWithinKey = flag(name, value);
      continue;
    }
    if (name === 'only') {
      if (typeof value !== 'string' || value === '')
        throw invalidFaults('"only" takes an event type, e.g. only=billing.*.');
      only = value;
      continue;
    }
    const fault = requireFault(name);
    if (fault in rates) throw invalidFaults(`Fault "${fault}" is named twice. Name it once.`);
    const parts = typeof value === 'string' ? value.split(':') : [];
    const [first = '', second = '', third] = parts;
    if (fault === 'delay' || fault === 'reorder') {
      const span = parts.length === 2 ? spanOf(second) : undefined;
      if (span === undefined) throw malformed(fault, value);
      rates[fault] = rateOf(fault, first);
      if (fault === 'delay') delayBy = span;
      else reorderWithin = span;
    } else if (fault === 'burst') {
      const factor = /^(\d+)x$/.exec(first)?.[1];
      const within = parts.length <= 3 ? spanOf(second) : undefined;
      if (factor === undefined || Number(factor) < 2 || Number(factor) > 1000 || within === undefined) {
        throw malformed(fault, value);
      }
      burst = { factor: Number(factor), within };
      rates.burst = third === undefined ? defaultBurstRate : rateOf(fault, third);
    } else {
      if (parts.length !== 1) throw malformed(fault, value);
      rates[fault] = rateOf(fault, first);
    }
  }
  if (reorderWithinKey && rates.reorder === undefined) {
    throw invalidFaults('Fault "reorder-within-key" needs "reorder". Add it, e.g. reorder=2%:30s.');
  }
  return { rates, delayBy, reorderWithin, reorderWithinKey, only, burst };
}

/** One period in ten. */
const defaultBurstRate = 0.1;

const maxSpan = 31 * day;

const examples: Readonly<Partial<Record<FaultName, string>>> = {
  delay: 'a share and a time, e.g. delay=5%:10m',
  reorder: 'a share and a time, e.g. reorder=2%:30s',
  burst: 'a factor from 2x to 1000x, a time and an optional share, e.g. burst=10x:30s:25%',
};

function entriesOf(faults: Faults): [name: string, value: unknown][] {
  if (typeof faults !== 'string') return Object.entries(faults);
  if (faults.trimStart().startsWith('{')) return Object.entries(parseObject(faults));
  const lines = faults.split('\n').map((line) => line.replace(/#.*/, ''));
  const entries = lines
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0)
    throw invalidFaults('The list of "faults" is empty. Name one, e.g. duplicate=1%.');
  return entries.map((entry) => {
    const separator = entry.indexOf('=');
    return separator === -1 ? [entry, true] : [entry.slice(0, separator), entry.slice(separator + 1)];
  });
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw invalidFaults('The faults start with "{", but are not JSON. Correct the JSON.', error);
  }
}

function requireFault(name: string): FaultName {
  const fault = faultNames.find((each) => each === name);
  if (fault !== undefined) return fault;
  const hint = didYouMean(nearest(name, [...faultNames, 'reorder-within-key', 'only']));
  throw invalidFaults(
    `There is no fault ${quoted(name)}.${hint === '' ? ` The faults are ${faultNames.join(', ')}.` : hint}`,
  );
}

function flag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidFaults(`Fault "${name}" takes no value. Leave it out.`);
}

function rateOf(fault: FaultName, text: string): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  const rate = Number(percent) / 100;
  if (rate <= 1) return rate;
  throw malformed(fault, text);
}

/** Returns the milliseconds of a time, or undefined for an invalid one. */
function spanOf(text: string): number | undefined {
  const span = readDuration(text) ?? 0;
  return span >= 1 && span <= maxSpan ? span : undefined;
}

function malformed(fault: FaultName, value: unknown): BusbarError {
  const expected = examples[fault] ?? `a share from 0% to 100%, e.g. ${fault}=1%`;
  const shown = typeof value === 'string' ? quoted(value) : JSON.stringify(value);
  const hasNone = value === '' || value === true || value === undefined;
  const given = hasNone ? 'but has none' : `not ${shown}`;
  const times = fault in examples ? ' Times go from 1ms to 31d.' : '';
  return invalidFaults(`Fault "${fault}" takes ${expected}, ${given}.${times}`);
}

function invalidFaults(message: string, cause?: unknown): BusbarError {
  return new BusbarError('invalid-option', message, { cause, options: ['faults'] });
}
