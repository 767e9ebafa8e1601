import type { Bill } from '../control-api/generated/operations.js';
import { day } from '../engine/time.js';
import type { SeenAccount, Traits } from './see-account.js';
import type { Tally } from './tally.js';

/** Counts the bills of an account over the last year, and its standing charge by region. */
export function seeBills(
  { properties }: SeenAccount,
  bills: readonly Bill[],
  { hasBothFuels, isBilled, isDirectDebit }: Traits,
  { now, tally, standing }: { now: number; tally: Tally; standing: Map<string, number> },
): void {
  const points = properties.flatMap((home) =>
    home.electricity_meter_points.filter((each) => !each.is_export),
  );
  const isSecondClass = points.some(({ profile_class }) => profile_class === 2);
  // A whole year that is billed already.
  const [first, end] = [now - 395 * day, now - 30 * day];
  const isWhole = bills.some(({ from }) => Date.parse(from) <= first);
  for (const { from, to, amount, charges } of bills) {
    const quarter = quarterOf((Date.parse(from) + Date.parse(to)) / 2);
    if (hasBothFuels && isBilled && Date.parse(from) > first) {
      tally.keep(`dual-fuel month ${quarter}`, amount / 100);
    }
    for (const { market, lines } of isWhole ? charges : []) {
      const isGas = market === 'GBR_GAS';
      for (const { register, kwh, ...period } of lines) {
        if (!isGas && isSecondClass) tally.add('two-rate kWh', kwh);
        if (!isGas && isSecondClass && register === 'NIGHT') tally.add('night kWh', kwh);
        const [begun, ended] = [Date.parse(period.from), Date.parse(period.to)];
        for (let at = Math.max(begun, first); at < Math.min(ended, end); at += day) {
          const daily = (kwh * day) / (ended - begun);
          tally.add(isGas ? 'gas kWh billed' : 'electricity kWh', daily);
          tally.add(`${isGas ? 'gas' : 'electricity'} kWh ${quarterOf(at)}`, daily);
        }
      }
    }
  }
  const [newest] = bills;
  const steady = points.flatMap(({ agreements }) => agreements.slice(-1)).find(isVariable);
  if (!isDirectDebit || newest === undefined || steady === undefined) return;
  if (Date.parse(steady.valid_from) > Date.parse(newest.from)) return;
  const last = newest.charges.find(({ market }) => market === 'GBR_ELECTRICITY')?.lines.at(-1);
  if (last !== undefined && last.standing_charge > 0) {
    standing.set(steady.tariff_code.slice(-1), last.standing_charge);
  }
}

function isVariable({ tariff_code }: { readonly tariff_code: string }): boolean {
  return tariff_code.startsWith('E-1R-VAR-');
}

/** Keeps the standing charge of each region against the mean. */
export function seeStandingCharges(standing: ReadonlyMap<string, number>, tally: Tally): void {
  const sum = [...standing.values()].reduce((total, each) => total + each, 0);
  for (const each of standing.values()) tally.keep('standing charges', (each * standing.size) / sum);
}

function quarterOf(at: number): number {
  return 1 + Math.floor(new Date(at).getUTCMonth() / 3);
}
