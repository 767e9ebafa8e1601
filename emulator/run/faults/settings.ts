import { didYouMean, nearest } from '../../../src/base/nearest.js';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { readDuration } from '../../engine/read-time.js';
import { day } from '../../engine/time.js';

/** What can go wrong with an event on its way, in the order in which it is decided. */
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

export type FaultName = (typeof faultNames)[number];

/**
 * Faults as people write them: `duplicate=1%,reorder=2%:30s`, one per line in a file (`#` begins a comment), or an
 * object, `{ duplicate: '1%', reorder: '2%:30s' }`, also as JSON. `docs/faults.md` lists them.
 */
export type Faults =
  | string
  | ({ readonly [Name in FaultName]?: string } & { readonly 'reorder-within-key'?: boolean });

/** How often each fault happens, from 0 to 1, and its spans, in milliseconds of virtual time. */
export interface FaultSettings {
  readonly rates: Readonly<Partial<Record<FaultName, number>>>;
  readonly delayBy: number;
  readonly reorderWithin: number;
  /** A reordered event may be overtaken by later ones of its own key. */
  readonly reorderWithinKey: boolean;
  /** So many times the usual number of events, for `within`. */
  readonly burst: { readonly factor: number; readonly within: number } | undefined;
}

/** @throws BusbarError `invalid-option`, naming the entry that is wrong. */
export function readFaults(faults: Faults): FaultSettings {
  const rates: Partial<Record<FaultName, number>> = {};
  let delayBy = 0;
  let reorderWithin = 0;
  let reorderWithinKey = false;
  let burst: FaultSettings['burst'];
  for (const [name, value] of entriesOf(faults)) {
    if (name === 'reorder-within-key') {
      reorderWithinKey = flag(name, value);
      continue;
    }
    const fault = known(name);
    if (fault in rates) throw wrong(`Fault "${fault}" is named twice.`);
    const parts = typeof value === 'string' ? value.split(':') : [];
    const [first = '', second = '', third] = parts;
    switch (fault) {
      case 'delay':
      case 'reorder': {
        const span = parts.length === 2 ? spanOf(second) : undefined;
        if (span === undefined) throw malformed(fault, value);
        rates[fault] = rateOf(fault, first);
        if (fault === 'delay') delayBy = span;
        else reorderWithin = span;
        break;
      }
      case 'burst': {
        const factor = /^(\d+)x$/.exec(first)?.[1];
        const within = parts.length <= 3 ? spanOf(second) : undefined;
        if (factor === undefined || Number(factor) < 2 || Number(factor) > 1000 || within === undefined) {
          throw malformed(fault, value);
        }
        burst = { factor: Number(factor), within };
        rates.burst = third === undefined ? defaultBurstRate : rateOf(fault, third);
        break;
      }
      case 'drop':
      case 'invalid':
      case 'extra-field':
      case 'unknown-event':
      case 'unknown-version':
      case 'corrupt':
      case 'duplicate':
        if (parts.length !== 1) throw malformed(fault, value);
        rates[fault] = rateOf(fault, first);
    }
  }
  if (reorderWithinKey && rates.reorder === undefined) {
    throw wrong('"reorder-within-key" says how "reorder" is done: add it, as reorder=2%:30s.');
  }
  return { rates, delayBy, reorderWithin, reorderWithinKey, burst };
}

/** One window in ten. */
const defaultBurstRate = 0.1;

const longestSpan = 31 * day;

const examples: Readonly<Partial<Record<FaultName, string>>> = {
  delay: 'a share and a time, as delay=5%:10m',
  reorder: 'a share and a time, as reorder=2%:30s',
  burst: 'a factor from 2x to 1000x and a time, as burst=10x:30s, and perhaps a share, as burst=10x:30s:25%',
};

function entriesOf(faults: Faults): [name: string, value: unknown][] {
  if (typeof faults !== 'string') return Object.entries(faults);
  if (faults.trimStart().startsWith('{')) return Object.entries(parseObject(faults));
  const lines = faults.split('\n').map((line) => line.replace(/#.*/, ''));
  const entries = lines
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) throw wrong('Option "faults" is empty; write, for example, duplicate=1%.');
  return entries.map((entry) => {
    const separator = entry.indexOf('=');
    return separator === -1 ? [entry, true] : [entry.slice(0, separator), entry.slice(separator + 1)];
  });
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new BusbarError('invalid-option', 'The faults begin as JSON does ("{"), but are not JSON.', {
      cause: error,
    });
  }
}

function known(name: string): FaultName {
  const fault = faultNames.find((each) => each === name);
  if (fault !== undefined) return fault;
  const hint = didYouMean(nearest(name, [...faultNames, 'reorder-within-key']));
  throw wrong(
    `There is no fault ${quoted(name)}.${hint === '' ? ` There are: ${faultNames.join(', ')}.` : hint}`,
  );
}

function flag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(`"${name}" stands alone, without a value.`);
}

function rateOf(fault: FaultName, text: string): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  const rate = Number(percent) / 100;
  if (rate <= 1) return rate;
  throw malformed(fault, text);
}

/** In milliseconds. */
function spanOf(text: string): number | undefined {
  const span = readDuration(text) ?? 0;
  return span >= 1 && span <= longestSpan ? span : undefined;
}

function malformed(fault: FaultName, value: unknown): BusbarError {
  const wanted = examples[fault] ?? `a share from 0% to 100%, as ${fault}=1%`;
  const given = typeof value === 'string' && value !== '' ? `not ${quoted(value)}` : 'not nothing';
  return wrong(`Fault "${fault}" takes ${wanted}, ${given}. Times go from 1ms to 31d.`);
}

function wrong(message: string): BusbarError {
  return new BusbarError('invalid-option', message);
}
