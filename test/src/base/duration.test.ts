import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDuration } from '../../../src/base/duration.js';

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

it.each([
  ['500ms', 500],
  ['30s', 30 * second],
  ['10m', 600 * second],
  ['2h', 2 * hour],
  ['1.5d', 36 * hour],
  ['P1W', 7 * day],
  ['P7DT12H', 7 * day + 12 * hour],
  ['PT1H30M5S', 5405 * second],
])('reads "%s" as a duration', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

it.each(['', '7', 'd', '-1d', '1 d', '7D', 'P', 'PT', 'P1H', '1y', 'P1Y', 'P1M', '1e3s', '2d12h'])(
  'refuses "%s" as a duration',
  (text) => {
    expect(readDuration(text)).toBeUndefined();
  },
);

it('reads both notations alike', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.constantFrom('d', 'h', 'm', 's'), (amount, unit) => {
      const iso = `P${unit === 'd' ? '' : 'T'}${amount}${unit.toUpperCase()}`;
      expect(readDuration(iso)).toBe(readDuration(`${amount}${unit}`));
    }),
  );
});
