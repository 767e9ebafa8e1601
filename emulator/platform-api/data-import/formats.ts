import { mpanCheckDigit, mprnCheck } from '../../world/identifiers.js';
import { readDatetime } from '../local-time.js';
import { findTariff } from '../../world/products/rates.js';

/** A `format` of the OpenAPI document for texts, with the problem to report for others. */
interface Format {
  readonly code: string;
  readonly detail: string;
  readonly matches: (text: string) => boolean;
}

/** Returns the formats of data-import payloads. */
export const payloadFormats: Readonly<Record<string, Format>> = {
  date: {
    code: 'invalid_date',
    detail: 'Must be a date, for example 2026-03-02.',
    matches: isDate,
  },
  'date-time': {
    code: 'invalid_datetime',
    detail: 'Must be an ISO 8601 datetime, for example 2026-03-02T09:00:00Z.',
    matches: (text) => typeof readDatetime(text) === 'number',
  },
  email: {
    code: 'invalid_email',
    detail: 'Must be an e-mail address.',
    matches: (text) => /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  },
  'phone-number': {
    code: 'invalid_phone_number',
    detail: 'Must be a telephone number: a 0 or a plus, then 9 to 14 digits.',
    matches: (text) => /^(\+[1-9]|0)\d{9,13}$/.test(text.replaceAll(/[ ()-]/g, '')),
  },
  postcode: {
    code: 'invalid_postcode',
    detail: 'Must be a postcode.',
    matches: (text) => /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(text),
  },
  'supply-point-identifier': {
    code: 'invalid_supply_point_identifier',
    detail: 'Must be an MPAN or an MPRN with the right check digits.',
    matches: (text) => isMpan(text) || isMprn(text),
  },
  'meter-serial-number': {
    code: 'invalid_meter_serial_number',
    detail: 'Must be capital letters, digits and spaces.',
    matches: (text) => /^[A-Z\d ]+$/.test(text),
  },
  'market-participant': {
    code: 'invalid_market_participant',
    detail: 'Must be three or four capital letters or digits.',
    matches: (text) => /^[A-Z\d]{3,4}$/.test(text),
  },
  'tariff-code': {
    code: 'tariff_code_not_found',
    detail: 'Must be the tariff code of a product of this platform.',
    matches: (text) => findTariff(text) !== undefined,
  },
  decimal: {
    code: 'invalid_amount',
    detail: 'Must be a decimal number with at most two places, as a string.',
    matches: (text) => /^-?\d{1,9}(\.\d{1,2})?$/.test(text),
  },
  amount: {
    code: 'invalid_amount',
    detail: 'Must be a decimal number from 0 with at most two places, as a string.',
    matches: (text) => /^\d{1,9}(\.\d{1,2})?$/.test(text),
  },
  'document-path': {
    code: 'invalid_document_path',
    detail: "Must be a path within the import supplier's root location.",
    matches: isPathWithin,
  },
};

export function isMpan(text: string): boolean {
  return /^\d{13}$/.test(text) && mpanCheckDigit(text.slice(0, 12)) === Number(text[12]);
}

export function isMprn(text: string): boolean {
  return /^\d{6,10}$/.test(text) && mprnCheck(text.slice(0, -2)) === Number(text.slice(-2));
}

/** Whether a string is a date from 1900 to 2099. */
function isDate(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Whether a path is relative, separated by `/`, without empty parts and without `.` and `..`, also escaped. */
function isPathWithin(path: string): boolean {
  if (/[\\:\p{Cc}]/u.test(path)) return false;
  return path.split('/').every((part) => {
    const plain = part.replaceAll(/%2e/gi, '.');
    return plain !== '' && plain !== '.' && plain !== '..' && !/%(2f|5c)/i.test(part);
  });
}
