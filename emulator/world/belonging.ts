import { memberPointer } from 'busbar/base';
import type { KeyEntity } from 'busbar/catalogue';
import type { Cell } from './cell.js';

/** Returns the JSON pointer (RFC 6901) of the payload's first identifier of another cell: see {@link isForeign}. */
export function foreignIdentifierIn(
  cell: Cell,
  payload: unknown,
  pointer = '',
  name = '',
): string | undefined {
  if (typeof payload !== 'object' || payload === null) {
    return isForeign(cell, name, payload) ? pointer : undefined;
  }
  for (const [member, value] of Object.entries(payload)) {
    // The values of a list have its name.
    const valueName = Array.isArray(payload) ? name : member;
    const found = foreignIdentifierIn(cell, value, memberPointer(pointer, member), valueName);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the problem with a partition key for events about that entity, or undefined. */
export function objectionToKey(cell: Cell, entity: string, key: string): string | undefined {
  if (key === '') return 'its key is empty';
  const form = Object.hasOwn(forms, entity) ? forms[entity as KeyEntity] : undefined;
  if (form === undefined) return undefined;
  if (!form.pattern.test(key)) return `its key is not that of entity "${entity}", ${form.description}`;
  return form.belongs?.(cell, key) === false ? `its key names the ${entity} of another cell` : undefined;
}

interface KeyForm {
  readonly pattern: RegExp;
  readonly description: string;
  /** Whether the key belongs to the cell. Absent for keys that do not belong to one cell. */
  readonly belongs?: (cell: Cell, key: string) => boolean;
}

const numbered = (prefix: string): KeyForm => ({
  pattern: new RegExp(`^${prefix}-[\\dA-F]{8}$`),
  description: `${prefix}- and eight hexadecimal digits`,
  belongs: ({ index, identifiers }, key) => identifiers.cellOf(key) === index,
});
const wholeNumber = (prefix = ''): KeyForm => ({
  pattern: new RegExp(`^${prefix}\\d{1,15}$`),
  description: `${prefix}${prefix === '' ? '' : ' and '}a whole number`,
});
const uuid: KeyForm = {
  pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  description: 'a UUID in lower case',
};

/** The form of each entity's keys. */
const forms: Readonly<Record<KeyEntity, KeyForm>> = {
  account: numbered('A'),
  user: numbered('U'),
  business: {
    ...wholeNumber(),
    belongs: (cell, key) => ownsInteger(cell, 'business', Number(key)),
  },
  lead: numbered('LE'),
  'contract-group': uuid,
  'internal-company': uuid,
  'access-role': { pattern: /^[A-Z][A-Z\d_]*$/, description: 'a code in capitals' },
  'uploaded-file': uuid,
  'import-process': wholeNumber('EXT-'),
  'imported-order': wholeNumber('ORD-'),
  'duos-invoice': wholeNumber(),
  'portfolio-run': { pattern: /^PIS-\d{6}-\d{1,15}$/, description: 'PIS-, a month and a whole number' },
};

/** Kinds of whole-number ids, by payload member. */
const integerKinds: Readonly<Record<string, string>> = {
  account_id: 'account',
  property_id: 'property',
  supply_point_id: 'supply point',
  agreement_id: 'agreement',
  user_id: 'user',
};

/** Whether a value identifies something of another cell: a prefixed number, a whole-number id or a meter point. */
function isForeign(cell: Cell, name: string, value: unknown): boolean {
  const integer = integerKinds[name];
  if (integer !== undefined && typeof value === 'number') return !ownsInteger(cell, integer, value);
  if (typeof value !== 'string') return false;
  const { index, identifiers, properties } = cell;
  const owner = identifiers.cellOf(value);
  if (owner !== undefined) return owner !== index;
  if (name !== 'mprn' && !/^\d\d999\d{8}$/.test(value)) return false;
  // An imported supply point has an identifier of the real world.
  const isSupplied = properties.some(({ supplyPoints }) =>
    supplyPoints.some(({ identifier }) => identifier === value),
  );
  return !isSupplied && identifiers.cellAtMeterPoint(value) !== index;
}

function ownsInteger({ index, identifiers }: Cell, kind: string, id: number): boolean {
  return identifiers.ownerOf(kind, id) === index;
}
