import { blockText } from '../common/text.ts';

/** Plain text of a contribution, with line breaks; several empty lines in a row become one. */
export const writtenText = (max: number) =>
  blockText(max, 'invalid.something').overwrite((text) => text.replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n'));
