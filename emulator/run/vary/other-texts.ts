import { hour } from '../../engine/time.js';

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isDate = /^\d{4}-\d\d-\d\d$/;

/** Number of ways to write a time. The last way changes nothing. */
export const otherTimes = 5;

/** Returns an instant or date in another form of ISO 8601, or undefined for any other text. */
export function otherTime(text: string, way: number): string | undefined {
  if (isDate.test(text)) {
    return [`${text}T00:00:00Z`, `${text}T00:00:00+00:00`, text.replaceAll('-', ''), text, text][way];
  }
  if (!isInstant.test(text)) return undefined;
  const at = Date.parse(text);
  const utc = new Date(at).toISOString().slice(0, -1);
  switch (way) {
    case 0:
      return `${utc}+00:00`;
    case 1:
      return `${utc}000Z`;
    case 2:
      return `${utc}000+00:00`;
    case 3:
      return `${new Date(at + hour).toISOString().slice(0, -1)}+01:00`;
    default:
      return text;
  }
}

/** Number of ways to write a word of a vocabulary. The last way changes nothing. */
export const otherWords = 5;

/** Returns a word such as `CHANGE_OF_SUPPLIER` in another form, and any other text unchanged. */
export function otherWord(text: string, way: number): string {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text)) return text;
  switch (way) {
    case 0:
      return text.toLowerCase();
    case 1:
      return text.toLowerCase().replaceAll('_', '-');
    case 2:
      return text.charAt(0) + text.slice(1).toLowerCase().replaceAll('_', ' ');
    case 3:
      // An unknown word.
      return `${text}_OTHER`;
    default:
      return text;
  }
}

/** Returns a text for an open end, or undefined to leave out the field, which is the fourth way. */
export function otherEnd(way: number): string | undefined {
  return ['9999-12-31', '9999-12-31T23:59:59Z', ''][way];
}
