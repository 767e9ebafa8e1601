/**
 * Version of the world. It rises with each release that changes the bytes of a built-in scenario, so that a recording is
 * never resumed or checked in another world.
 */
export const worldVersion = 2;
