import type { KeyEntity } from '../../catalogue/index.js';
import type { Cell } from './cell.js';
import {
  integersPerCell,
  type NumberKind,
  numberKinds,
  numbersPerCell,
  ordinalOf,
  platformCell,
  propertiesPerCell,
} from './identifiers.js';

/** An identifier of the platform that does not belong to the cell. */
export interface Stranger {
  /** Where it stands in the payload, as a JSON pointer. */
  readonly pointer: string;
}

/** The first identifier in the payload that is another cell's: see {@link isForeign}. */
export function strangerIn(cell: Cell, payload: unknown, pointer = '', name = ''): Stranger | undefined {
  if (typeof payload !== 'object' || payload === null) {
    return isForeign(cell, name, payload) ? { pointer } : undefined;
  }
  for (const [member, value] of Object.entries(payload)) {
    // A list is called as its values are: `account_numbers[0]`.
    const called = Array.isArray(payload) ? name : member;
    const found = strangerIn(cell, value, `${pointer}/${escaped(member)}`, called);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is wrong with a key for events about that entity; undefined where nothing is. */
export function objectionToKey(cell: Cell, entity: string, key: string): string | undefined {
  if (key === '') return 'its key is empty';
  const form = Object.hasOwn(forms, entity) ? forms[entity as KeyEntity] : undefined;
  if (form === undefined) return undefined;
  if (!form.looks.test(key)) return `its key names no ${entity}: that would be ${form.is}`;
  return form.belongs?.(cell, key) === false ? `its key names the ${entity} of another cell` : undefined;
}

interface KeyForm {
  readonly looks: RegExp;
  readonly is: string;
  /** Where the world hands it out: whether it is the cell's. */
  readonly belongs?: (cell: Cell, key: string) => boolean;
}

const numbered = (kind: NumberKind, prefix: string): KeyForm => ({
  looks: new RegExp(`^${prefix}-[\\dA-F]{8}$`),
  is: `${prefix}- and eight hexadecimal digits`,
  belongs: (cell, key) => ownsNumber(cell, kind, key),
});
const wholeNumber = (prefix = ''): KeyForm => ({
  looks: new RegExp(`^${prefix}\\d{1,10}$`),
  is: `${prefix}${prefix === '' ? '' : ' and '}a whole number`,
});
const uuid: KeyForm = {
  looks: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  is: 'a UUID in lower case',
};

/** What identifies each entity that keys name. */
const forms: Readonly<Record<KeyEntity, KeyForm>> = {
  account: numbered('account', 'A'),
  user: numbered('user', 'U'),
  business: {
    ...wholeNumber(),
    belongs: (cell, key) => ownsInteger(cell, 'business', Number(key)),
  },
  lead: numbered('lead', 'LE'),
  'contract-group': uuid,
  'internal-company': uuid,
  'access-role': { looks: /^[A-Z][A-Z\d_]*$/, is: 'a code in capitals' },
  'uploaded-file': uuid,
  'import-process': wholeNumber('EXT-'),
  'imported-order': wholeNumber('ORD-'),
  'duos-invoice': wholeNumber(),
  'portfolio-run': { looks: /^PIS-\d{6}-\d{1,10}$/, is: 'PIS-, a month and a whole number' },
};

/** Whole numbers that name something of a cell, by the member that holds them. */
const integerKinds: Readonly<Record<string, string>> = {
  account_id: 'account',
  property_id: 'property',
  supply_point_id: 'supply point',
  agreement_id: 'agreement',
  user_id: 'user',
};

/** Whether a value is an identifier that the world gives to one cell, and not to this: a number, an id, a meter point. */
function isForeign(cell: Cell, name: string, value: unknown): boolean {
  const integer = integerKinds[name];
  if (integer !== undefined && typeof value === 'number') return !ownsInteger(cell, integer, value);
  if (typeof value !== 'string') return false;
  const kind = numberKinds.get(/^([A-Z]{1,2})-[\dA-F]{8}$/.exec(value)?.[1] ?? '');
  if (kind !== undefined) return !ownsNumber(cell, kind, value);
  if (/^\d\d999\d{8}$/.test(value)) return ![...mpans(cell), ...supplied(cell)].includes(value);
  return name === 'mprn' && ![...mprns(cell), ...supplied(cell)].includes(value);
}

function ownsNumber({ index, identifiers }: Cell, kind: NumberKind, number: string): boolean {
  for (let nth = 0; nth < numbersPerCell; nth++) {
    if (identifiers.number(kind, index, nth) === number) return true;
  }
  return false;
}

function ownsInteger({ index, identifiers }: Cell, kind: string, id: number): boolean {
  // The platform's own are counted otherwise, and nobody else acts in its cell.
  if (index === platformCell) return true;
  const nth = ordinalOf(id);
  return nth >= 0 && nth < integersPerCell && identifiers.integer(kind, index, nth) === id;
}

function mpans({ index, identifiers, properties }: Cell): string[] {
  return [
    ...places.map((place) => identifiers.mpan(index, place)),
    ...properties.map((_, place) => identifiers.exportMpan(index, place)),
  ];
}

function mprns({ index, identifiers }: Cell): string[] {
  return places.map((place) => identifiers.mprn(index, place));
}

/** Supply points that the cell has now: of a home that came with an account they are not the world's. */
function supplied({ properties }: Cell): string[] {
  return properties.flatMap(({ supplyPoints }) => supplyPoints.map(({ identifier }) => identifier));
}

const places = Array.from({ length: propertiesPerCell }, (_, place) => place);

/** RFC 6901. */
function escaped(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}
