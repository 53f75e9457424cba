import { createHash } from 'node:crypto';

/** What nobody sees, and blanks of all kinds. U+2800 is Braille's blank. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]+/gu;

/** A digest of a text without what nobody sees in it, case, and other spellings of its letters: equal for words that look the same. */
export const textKeyOf = (text: string): string =>
  createHash('sha256')
    .update(text.normalize('NFKC').replace(UNSEEN, '').toLowerCase())
    .digest('base64url')
    .slice(0, 22);
