/**
 * What a partition key can name, and by what. Events with the same key stay in the order in which they happened. The
 * words of `x-busbar-key` in the built-in events; one's own events may use others.
 */
export const keyEntities = {
  account: 'A customer account, by its number.',
  user: 'A person with a login, by their number.',
  business: 'A customer that is a company, by its id.',
  lead: 'Somebody who might buy something, with all that came of it, by the number of the lead.',
  'contract-group': 'Contracts that belong together, by the identifier of the group.',
  'internal-company': "A company of the platform's own, by its id.",
  'access-role': 'What somebody may do, by the code of the role.',
  'uploaded-file': 'Something that a customer uploaded, by its reference.',
  'import-process': 'An account on its way from another supplier, by its number there.',
  'imported-order': 'An order that another system took, by its number there.',
  'duos-invoice': "A distributor's invoice, by the number of its first message.",
  'portfolio-run': 'The making of all portfolio summaries of a month, by the identifier of the run.',
} as const;

export type KeyEntity = keyof typeof keyEntities;

/** What the key of an event names when its schema does not say so: most events are about an account. */
export const usualKey: KeyEntity = 'account';

/** What the key is, in a sentence; of an entity that is not built in, its word. */
export function describeKey(entity: string): string {
  return isKeyEntity(entity) ? keyEntities[entity] : `Identifies the ${entity}.`;
}

export function isKeyEntity(word: unknown): word is KeyEntity {
  return typeof word === 'string' && Object.hasOwn(keyEntities, word);
}
