import { createHash } from 'node:crypto';

/** Invisible characters, and blanks of all kinds. U+2800 is Braille's blank. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]+/gu;

/**
 * A digest that ignores invisible characters, case and equivalent spellings of characters. Texts that look the same
 * have the same digest.
 */
export const textKeyOf = (text: string): string =>
  createHash('sha256')
    .update(text.normalize('NFKC').replace(UNSEEN, '').toLowerCase())
    .digest('base64url')
    .slice(0, 22);
