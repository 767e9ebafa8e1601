/** What a text looks like, where its schema does not say: no consumer can be blamed for reading a time as one. */
export type TextKind = 'date' | 'date-time' | 'amount' | 'text';

export function textKindOf(realistic: string): TextKind {
  if (/^\d{4}-\d\d-\d\d$/.test(realistic)) return 'date';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(realistic)) return 'date-time';
  return /^-?\d+\.\d+$/.test(realistic) ? 'amount' : 'text';
}
