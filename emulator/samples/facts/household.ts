import type { Region } from '../../world/identifiers.js';
import { mprnCheck } from '../../world/identifiers.js';
import { emailAddress, type PersonName, personName } from '../../world/people.js';
import { householdProduct } from '../../world/products.js';
import { buildings, inwardLetters, localities, streets, towns } from '../../world/vocabulary/addresses.js';
import { type Market, markets } from '../../world/vocabulary/supply.js';
import type { Scene, Subject } from '../subject.js';

/** The account that all of a payload is about, unless the caller names another. */
export function accountNumber(subject: Subject): string {
  const wanted = subject.pinned('account_number');
  return typeof wanted === 'string' ? wanted : subject.number('account');
}

/** A person with access to the account; the first is its holder. */
export function user(
  subject: Subject,
  nth = 0,
): { readonly id: number; readonly number: string; readonly name: PersonName; readonly email: string } {
  return subject.once(`user ${nth}`, (random) => {
    const number = subject.number('user', nth);
    const name = personName(random);
    return {
      id: subject.integer('user', nth),
      number,
      name,
      email: emailAddress(name, number.slice(2), random),
    };
  });
}

export interface SupplyPoint {
  readonly id: number;
  readonly market: Market;
  /** MPAN or MPRN. */
  readonly identifier: string;
}

/**
 * The supply point that an object is about: in a list, electricity and gas take turns. Follows the market or the
 * identifier that the caller asks for.
 */
export function supplyPoint(scene: Scene): SupplyPoint {
  const market =
    wantedMarket(scene) ?? (scene.index % 2 === 0 ? firstMarket(scene) : other(firstMarket(scene)));
  const found = market === 'GBR_GAS' ? gas(scene, scene.index) : electricity(scene, scene.index);
  const identifier = wantedIdentifier(scene);
  return identifier === undefined ? found : { ...found, identifier };
}

/** The supply point of a market at the home; one of a higher place in a list is at another property. */
export function electricity(subject: Subject, place = 0): SupplyPoint {
  const nth = Math.floor(place / 2) % properties;
  const identifier = subject.identifiers.mpan(subject.cell, nth);
  return { id: subject.integer('supply point', 2 * nth), market: 'GBR_ELECTRICITY', identifier };
}

export function gas(subject: Subject, place = 0): SupplyPoint {
  const nth = Math.floor(place / 2) % properties;
  const identifier = subject.identifiers.mprn(subject.cell, nth);
  return { id: subject.integer('supply point', 2 * nth + 1), market: 'GBR_GAS', identifier };
}

/** The meter point of what the home feeds back. */
export function exportMpan(subject: Subject): string {
  return subject.identifiers.mpan(subject.cell, properties);
}

/** A gas meter point in the network of an independent transporter: it begins with 74 to 77. */
export function independentMprn(subject: Subject): string {
  const body = `749${String(subject.cell % 100_000).padStart(5, '0')}`;
  return body + String(mprnCheck(body)).padStart(2, '0');
}

export function region(subject: Subject): Region {
  return subject.identifiers.region(subject.cell);
}

export interface Address {
  readonly building: string;
  readonly number: number;
  readonly street: string;
  readonly locality: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
}

/** Where the home stands. The second letter of the postcode is that of the distribution region. */
export function address(subject: Subject): Address {
  return subject.once('address', (random) => {
    const { town, county } = random.pick(towns);
    const letter = () => inwardLetters[random.integer(0, inwardLetters.length - 1)] ?? '';
    const district = random.integer(1, 99);
    return {
      building: random.chance(0.2) ? random.pick(buildings) : '',
      number: random.integer(1, 180),
      street: random.pick(streets),
      locality: random.chance(0.3) ? random.pick(localities) : '',
      town,
      county,
      postcode: `X${region(subject).letter}${district} ${random.integer(0, 9)}${letter()}${letter()}`,
    };
  });
}

/** Code of the product that the account is on. */
export function product(subject: Subject): string {
  return subject.once('product', householdProduct);
}

/** Homes of the household that samples speak of; one more meter point is left for what is fed back. */
const properties = 3;

/** Where the caller names the first or the second, the others follow, so that no meter point comes twice. */
function firstMarket(scene: Scene): Market {
  if (scene.list !== '') {
    const second = wantedMarket(scene, 1);
    const wanted = wantedMarket(scene, 0) ?? (second && other(second));
    if (wanted !== undefined) return wanted;
  }
  return scene.once('market of the first supply point', (random) => random.weighted(markets));
}

function wantedMarket(scene: Scene, place?: number): Market | undefined {
  const name = scene.given('market_name', place);
  if (name === 'GBR_ELECTRICITY' || name === 'GBR_GAS') return name;
  const identifier = wantedIdentifier(scene, place);
  // An MPAN has 13 digits, an MPRN at most 10.
  return identifier === undefined ? undefined : identifier.length > 10 ? 'GBR_ELECTRICITY' : 'GBR_GAS';
}

function wantedIdentifier(scene: Scene, place?: number): string | undefined {
  const identifier = scene.given('external_identifier', place) ?? scene.given('market_identifier', place);
  return typeof identifier === 'string' ? identifier : undefined;
}

function other(market: Market): Market {
  return market === 'GBR_GAS' ? 'GBR_ELECTRICITY' : 'GBR_GAS';
}
