/**
 * The entities that a partition key can identify, with descriptions. Events with the same key stay in order. The built-in
 * events use these words in `x-busbar-key`; your own events may use others.
 */
export const keyEntities = {
  account: 'A customer account, by its number.',
  user: 'A person with a login, by their number.',
  business: 'A business customer, by its id.',
  lead: 'A sales lead, by its number.',
  'contract-group': 'A group of contracts, by its identifier.',
  'internal-company': "One of the platform's own companies, by its id.",
  'access-role': 'A role that grants access, by its code.',
  'uploaded-file': 'A file that a customer uploaded, by its reference.',
  'import-process': 'An account that moves here from another supplier, by its number there.',
  'imported-order': 'An order that another system took, by its number there.',
  'duos-invoice': "A distributor's invoice, by the number of its first message.",
  'portfolio-run': 'A monthly run that makes the portfolio summaries, by its identifier.',
} as const;

/** A word of {@link keyEntities}. */
export type KeyEntity = keyof typeof keyEntities;

/** The default entity of a partition key: most events concern an account. */
export const usualKey: KeyEntity = 'account';

/**
 * Returns the fields of which one identifies the entity in a payload: `account_number` for an account. Events of a user's
 * entity are keyed by account, because no field is known to identify the entity.
 */
export function keyFields(entity: string): readonly string[] {
  const known = (isKeyEntity(entity) ? entity : usualKey).replaceAll('-', '_');
  return ['number', 'identifier', 'id'].map((ending) => `${known}_${ending}`);
}

/** Returns a sentence that describes the key, with the word itself for an unknown entity. */
export function describeKey(entity: string): string {
  return isKeyEntity(entity) ? keyEntities[entity] : `Identifies the ${entity}.`;
}

export function isKeyEntity(word: unknown): word is KeyEntity {
  return typeof word === 'string' && Object.hasOwn(keyEntities, word);
}
