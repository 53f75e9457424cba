import { onFirstUse } from './on-first-use.ts';

const graphemes = onFirstUse(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/**
 * The first `max` user-perceived characters: an emoji or an accented letter counts as one. At most 4 * `max` UTF-16
 * units.
 */
export function cutText(text: string, max: number): string {
  let count = 0;
  for (const { index, segment } of graphemes().segment(text))
    if (count++ === max || index + segment.length > 4 * max) return text.slice(0, index);
  return text;
}
