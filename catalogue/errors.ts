/** The codes of {@link CatalogueError}, with what each one means. */
export const catalogueErrors = {
  CATALOGUE_SCHEMA: 'A schema handed to `openCatalogue` cannot be used.',
  CATALOGUE_REFERENCE: 'A `$ref` of a schema handed to `openCatalogue` names no shape.',
  CATALOGUE_UNKNOWN_EVENT: 'The catalogue has no such event type, or the type has no such version.',
} as const;

export type CatalogueErrorCode = keyof typeof catalogueErrors;

/** What the catalogue throws: one sentence on what happened and to which name, and one on what to do. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly code: CatalogueErrorCode;

  constructor(code: CatalogueErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
