// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

/** How to load the validator of each built-in event version, by catalogue name. */
export declare const validators: Readonly<
  Record<string, (() => Promise<{ readonly validate: (payload: unknown) => boolean }>) | undefined>
>;
