import { createHash } from 'node:crypto';
import type { Problem } from '../api-error.js';
import { below } from './payload.js';

/** What the sender calls a note or a transaction, with what was sent: by that a repeat is known. */
export interface Reference {
  readonly name: string;
  readonly digest: string;
}

/** The reference of what was sent, where it has one, as a member to be kept. */
export function referenceIn(sent: { readonly reference?: string }): { readonly reference?: Reference } {
  return sent.reference === undefined ? {} : { reference: { name: sent.reference, digest: digestOf(sent) } };
}

/**
 * References in a list, which may not be one, that stand for something else already: in what is `known`, which is
 * digests by name, or earlier in the list.
 */
export function problemsOfReferences(
  list: unknown,
  member: string,
  known: ReadonlyMap<string, string> = new Map(),
): Problem[] {
  if (!Array.isArray(list)) return [];
  const met = new Map<string, string | undefined>(known);
  return list.flatMap((each: { readonly reference?: unknown } | null, index) => {
    const name = each?.reference;
    if (typeof name !== 'string') return [];
    const isOther = met.has(name) && met.get(name) !== digestOf(each);
    // Twice in one list is no repeat of an earlier request.
    const isTwice = met.has(name) && !known.has(name);
    met.set(name, digestOf(each));
    if (!isOther && !isTwice) return [];
    const detail = 'Is the reference of something else.';
    return [{ detail, code: 'reference_already_used', attr: below('', member, index, 'reference') }];
  });
}

/** What is not there already, of a list that may hold anything. */
export function withoutRepeats<T extends { readonly reference?: string }>(
  list: readonly T[] | undefined,
  known: ReadonlyMap<string, string>,
): T[] {
  const all: readonly (T | null)[] = Array.isArray(list) ? list : [];
  return all.filter((each): each is T => each?.reference === undefined || !known.has(each.reference));
}

/** The same for what says the same, in whatever order. */
export function digestOf(body: unknown): string {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
