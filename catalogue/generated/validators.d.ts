// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

/** The validators of built-in event versions, by catalogue name. */
export declare const validators: Readonly<Record<string, ((payload: unknown) => boolean) | undefined>>;
