import { createHash } from 'node:crypto';
import type { Problem } from '../api-error.js';
import { below } from './payload.js';

/** The sender's name of a note or transaction, and the digest of its content, which detect a repetition. */
export interface Reference {
  readonly name: string;
  readonly digest: string;
}

/** Returns the reference of a note or transaction, as a member to spread. */
export function referenceIn(sent: { readonly reference?: string }): { readonly reference?: Reference } {
  return sent.reference === undefined ? {} : { reference: { name: sent.reference, digest: digestOf(sent) } };
}

/**
 * Returns the problems of references that already mean something else, in `known` (digests by name) or earlier in the
 * list. The value may not be a list.
 */
export function problemsOfReferences(
  list: unknown,
  member: string,
  known: ReadonlyMap<string, string> = new Map(),
): Problem[] {
  if (!Array.isArray(list)) return [];
  const seen = new Map<string, string | undefined>(known);
  return list.flatMap((each: { readonly reference?: unknown } | null, index) => {
    const name = each?.reference;
    if (typeof name !== 'string') return [];
    const isOther = seen.has(name) && seen.get(name) !== digestOf(each);
    // A repetition within one list isn't a repetition of an earlier request.
    const isTwice = seen.has(name) && !known.has(name);
    seen.set(name, digestOf(each));
    if (!isOther && !isTwice) return [];
    const detail = 'Is already used for other data.';
    return [{ detail, code: 'reference_already_used', attr: below('', member, index, 'reference') }];
  });
}

/** Returns the elements without a known reference, of a value that may not be a list. */
export function withoutRepeats<T extends { readonly reference?: string }>(
  list: readonly T[] | undefined,
  known: ReadonlyMap<string, string>,
): T[] {
  const all: readonly (T | null)[] = Array.isArray(list) ? list : [];
  return all.filter((each): each is T => each?.reference === undefined || !known.has(each.reference));
}

/** Returns a digest that does not depend on the order of members. */
export function digestOf(body: unknown): string {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
