import type { ProducedRecord } from '../../../src/transports/kafka/record-producer.js';
import { numberedEvent } from '../../numbered-event.js';

/** Returns the fate of an event: a function of its number, so that all processes agree. */
export type Fate =
  | 'quick'
  | 'awaits'
  | 'slow'
  | 'throws once'
  | 'hangs once'
  | 'ignores its abort once'
  | 'always fails'
  | 'is not an event';

const keys = 200;

export function fateOf(n: number): Fate {
  if (n % 499 === 7) return 'is not an event';
  if (n % 641 === 5) return 'always fails';
  if (n % 5003 === 11) return 'hangs once';
  if (n % 10_007 === 13) return 'ignores its abort once';
  if (n % 97 === 3) return 'throws once';
  if (n % 20 === 1) return 'slow';
  return n % 2 === 0 ? 'quick' : 'awaits';
}

export function isSetAside(n: number): boolean {
  const fate = fateOf(n);
  return fate === 'always fails' || fate === 'is not an event';
}

/** Numbers of one key grow; the keys do not take turns evenly. */
export function keyOf(n: number): string {
  return `key-${(n * 7919) % keys}`;
}

export function recordOf(topic: string, n: number): ProducedRecord {
  const value = fateOf(n) === 'is not an event' ? '{"half' : JSON.stringify(numberedEvent(n));
  return { topic, key: keyOf(n), value: Buffer.from(value), headers: { n: String(n) } };
}
