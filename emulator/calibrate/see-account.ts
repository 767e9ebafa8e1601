import type { platformApi } from 'busbar/catalogue';
import type * as own from '../control-api/generated/operations.js';
import { day } from '../engine/time.js';
import { productCodeOf } from '../start/http-reader.js';
import type { Tally } from './tally.js';

export type Products = ReadonlyMap<string, platformApi.Product>;

/** An account as REST shows it, with what the emulator's own API adds. */
export interface SeenAccount extends platformApi.Account, Pick<own.Account, 'payment_method' | 'ledgers'> {}

/** Traits of an account that events do not show. */
export interface Traits {
  /** Whether it is a household that gets a bill each month. */
  readonly isBilled: boolean;
  readonly isDirectDebit: boolean;
  readonly hasBothFuels: boolean;
}

type Agreement = platformApi.Property['gas_meter_points'][number]['agreements'][number];
type Point = { readonly consumption_standard: number; readonly agreements: readonly Agreement[] };

/** Counts an account on supply at an instant. Returns undefined for an account that is not on supply. */
export function seeAccount(
  account: SeenAccount,
  now: number,
  products: Products,
  tally: Tally,
): Traits | undefined {
  const { properties, customers } = account;
  const homes = properties.filter(({ moved_out_at: out }) => out === null || Date.parse(out) > now);
  const electricity = homes.flatMap((home) => home.electricity_meter_points);
  const imports = electricity.filter(({ is_export }) => !is_export);
  const gas = homes.flatMap((home) => home.gas_meter_points);
  const isOn = ({ agreements }: Point) => agreements.some((each) => isCurrent(each, now));
  const current = [...imports, ...gas].flatMap(({ agreements }) =>
    agreements.filter((each) => isCurrent(each, now)),
  );
  if (current.length === 0) return undefined;
  const sold = current.map((agreement) => productOf(agreement, products));
  tally.add('accounts');
  seeAgreements([...electricity, ...gas], now, products, tally);
  const isPrepaid = account.payment_method === 'PREPAYMENT';
  const isDirectDebit = account.payment_method === 'DIRECT_DEBIT';
  const hasBothFuels = imports.some(isOn) && gas.some(isOn);
  if (sold.some((product) => product?.is_business)) {
    tally.add('business');
    return { isDirectDebit, hasBothFuels, isBilled: false };
  }
  tally.add('domestic');
  tally.add('not prepaid', !isPrepaid);
  tally.add('both fuels', hasBothFuels);
  tally.add('electricity only', imports.some(isOn) && !hasBothFuels);
  tally.add('gas only', gas.some(isOn) && !hasBothFuels);
  tally.add('two customers', customers.length === 2);
  tally.add('two or three homes', homes.length === 2 || homes.length === 3);
  tally.add('occupier', customers.length === 0 && account.billing_name === 'The Occupier');
  tally.add('executors', /executor|estate of/i.test(account.billing_name ?? ''));
  tally.add(
    'prepaid',
    sold.some((product) => product?.is_prepay),
  );
  tally.add(
    'export',
    electricity.some(({ is_export }) => is_export),
  );
  tally.add('second brand', sold[0]?.brand !== undefined && sold[0].brand !== ownBrand);
  for (const { given_name, family_name } of customers) {
    tally.add(`given names ${given_name}`);
    tally.add(`family names ${family_name}`);
  }
  for (const home of homes) {
    tally.add('homes');
    tally.add('flats', home.address_line_1.startsWith('Flat '));
    tally.add('recent homes', Date.parse(home.moved_in_at ?? '') > now - 3 * 365.25 * day);
  }
  for (const point of imports) {
    const isSecondClass = point.profile_class === 2;
    tally.add('import MPANs');
    tally.add('class 2', isSecondClass);
    const rates = point.meters.flatMap(({ registers }) => registers.map(({ rate }) => rate));
    tally.add('two registers', rates.includes('NIGHT'));
    tally.keep(isSecondClass ? 'class 2 kWh' : 'class 1 kWh', point.consumption_standard);
    for (const agreement of point.agreements) {
      if (!isCurrent(agreement, now)) continue;
      tally.add('electricity agreements');
      tally.add(kindOf(productOf(agreement, products)));
    }
  }
  for (const { consumption_standard: kWh } of gas) tally.keep('gas kWh', kWh);
  tally.add('payment methods');
  tally.add(account.payment_method);
  const overdue = account.ledgers.reduce((sum, ledger) => sum + ledger.overdue, 0);
  tally.add('books');
  tally.add('in arrears', overdue > 0);
  if (overdue > 0 && hasBothFuels) tally.keep('arrears', overdue / 100);
  return { isDirectDebit, hasBothFuels, isBilled: !isPrepaid };
}

const ownBrand = 'EMULATOR_ENERGY';

function seeAgreements(points: readonly Point[], now: number, products: Products, tally: Tally): void {
  for (const { agreements } of points) {
    for (const [nth, agreement] of agreements.entries()) {
      const product = productOf(agreement, products);
      const from = Date.parse(agreement.valid_from);
      const to = Date.parse(agreement.valid_to ?? '');
      tally.add('agreements');
      const { available_from = '', available_to = null } = product ?? {};
      const isLate = available_to !== null && Date.parse(available_to) < from;
      tally.add('on sale', Date.parse(available_from) <= from && !isLate);
      const next = agreements[nth + 1];
      const isWholeTerm = (to - from) / day > 30 * (product?.term ?? Infinity);
      if (!isWholeTerm || to > now || next === undefined) continue;
      tally.add('ended terms');
      tally.add('rolled to variable', kindOf(productOf(next, products)) === 'variable');
    }
  }
}

/** Counts the electricity agreements of an account that began between two instants. */
export function seeNewAgreements(
  { properties }: SeenAccount,
  [since, until]: readonly [number, number],
  tally: Tally,
): void {
  for (const { is_export, agreements } of properties.flatMap((home) => home.electricity_meter_points)) {
    const begun = agreements.filter(
      ({ valid_from }) => Date.parse(valid_from) > since && Date.parse(valid_from) <= until,
    );
    if (!is_export) tally.add('new electricity agreements', begun.length);
  }
}

function isCurrent({ valid_from: from, valid_to: to }: Agreement, now: number): boolean {
  return Date.parse(from) <= now && (to === null || Date.parse(to) > now);
}

function productOf({ tariff_code }: Agreement, products: Products): platformApi.Product | undefined {
  return products.get(productCodeOf(tariff_code));
}

function kindOf(product: platformApi.Product | undefined): string {
  if (product === undefined) return 'unknown';
  if (product.term !== null) return 'fixed';
  if (product.is_tracker) return 'tracker';
  if (product.code.includes('AGILE')) return 'half-hourly';
  return /\b(GO|EV)\b/.test(product.code) ? 'car' : 'variable';
}
