// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

/** Loaders of the validators of built-in event versions, by catalogue name. */
export declare const validators: Readonly<
  Record<string, (() => Promise<{ readonly validate: (payload: unknown) => boolean }>) | undefined>
>;
