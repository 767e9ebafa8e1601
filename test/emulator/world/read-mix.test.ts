import { describe, expect, it } from 'vitest';
import { Plan } from '../../../emulator/run/plan.js';
import { defaultMix } from '../../../emulator/world/mix.js';
import { readMix } from '../../../emulator/world/read-mix.js';

describe('readMix', () => {
  it('changes the named shares and no other', () => {
    const mix = readMix({ secondBrand: 200, directDebit: { owned: 500 } });
    expect(mix.secondBrand).toBe(200);
    expect(mix.directDebit).toEqual({ ...defaultMix.directDebit, owned: 500 });
    expect(readMix({})).toEqual(defaultMix);
  });

  it.each([
    [{ tenure: { owned: 700 } }, 'The shares of "mix.tenure" add up to 1050. Change them to add up to 1000.'],
    [{ tenure: { rented: 1 } }, 'Option "mix.tenure" has no "rented". Possible: owned, private, social.'],
    [{ secondBrand: 6.5 }, 'Option "mix.secondBrand" must be a whole number from 0 to 1000, in per mille.'],
  ])('refuses %j in one line with what is possible', (changes, message) => {
    expect(() => readMix(changes)).toThrow(message);
  });
});

describe('the configured world', () => {
  const lossesIn = (options: object) => {
    const plan = new Plan({ scenario: 'everyday', accounts: 500, duration: 20 * 86_400_000, ...options });
    return [...plan.play()].filter(({ instance }) => instance.startsWith('switch-loss')).length;
  };

  it('plays a scenario at the rate that is asked for', () => {
    expect(lossesIn({ rates: { 'switch-loss': 0 } })).toBe(0);
    expect(lossesIn({ rates: { 'switch-loss': 500 } })).toBeGreaterThan(lossesIn({}));
  });

  it('names the scenarios to which a rate may belong', () => {
    expect(() => lossesIn({ rates: { 'switch-los': 1 } })).toThrow(/"switch-los".*switch-loss/);
  });
});
