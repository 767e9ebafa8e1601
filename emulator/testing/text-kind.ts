/** The format of a string without a format in its schema. A consumer may rely on it. */
type TextKind = 'date' | 'date-time' | 'amount' | 'text';

export function textKindOf(realistic: string): TextKind {
  if (/^\d{4}-\d\d-\d\d$/.test(realistic)) return 'date';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(realistic)) return 'date-time';
  return /^-?\d+\.\d+$/.test(realistic) ? 'amount' : 'text';
}
