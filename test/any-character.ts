import fc from 'fast-check';

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. The unit `binary` of fast-check is the same, but
 * makes a map of a million characters first, which takes a second in each process.
 */
export const anyCharacter = fc
  .nat(0x10_ffff - 0x800)
  // Leaves out the halves of surrogate pairs.
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
