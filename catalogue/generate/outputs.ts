/** Files to write: path inside the repository -> content. */
export type Outputs = ReadonlyMap<string, string>;

/** First line of every generated module. */
export const banner =
  '// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.\n';
