import { clustersOf, piecesOf as wordsOf } from '@beltway/typeset/lines';
import type { Typeface } from './typeface.ts';

export interface Block {
  lines: string[];
  /** Pixels. */
  size: number;
  /** From baseline to baseline, pixels. */
  leading: number;
}

export interface Box {
  width: number;
  height: number;
  largest: number;
  smallest: number;
  leading: number;
  tracking: number;
  maxLines: number;
}

/** A word that is too long for a line is set in a smaller size, down to this size, before the word is broken. */
const SMALLEST_FOR_A_WORD = 40;

/**
 * The largest setting in which a text fits its box. At the smallest size, text that does not fit is cut with an
 * ellipsis.
 */
export function fit(face: Typeface, text: string, box: Box): Block {
  const measure = (line: string, size: number) => face.width(line, size, box.tracking);
  const setAt = (size: number) => wrap(text, (line) => measure(line, size) <= box.width);
  const linesAt = (size: number) =>
    Math.max(1, Math.min(box.maxLines, 1 + Math.floor((box.height - size) / (size * box.leading))));
  const breaksAt = (size: number) => wordsOf(text).some((word) => measure(word.trimEnd(), size) > box.width);

  let size = box.largest;
  while (size > box.smallest && (breaksAt(size) || setAt(size).length > linesAt(size))) size -= 4;
  while (size > Math.min(box.smallest, SMALLEST_FOR_A_WORD) && breaksAt(size)) size -= 2;

  const lines = setAt(size);
  const room = linesAt(size);
  const leading = size * box.leading;
  if (lines.length > room)
    return { lines: clip(lines, room, (line) => measure(line, size) <= box.width), size, leading };
  if (breaksAt(size)) return { lines, size, leading };
  return { lines: balance(lines, text, (line) => measure(line, size), box.width), size, leading };
}

/** Scripts that do not hyphenate, or join their letters. */
const UNHYPHENATED = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Breaks lines greedily. Breaks a word only if the word is wider than a line. */
function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(text)) {
    if (fits((line + word).trimEnd())) {
      line += word;
      continue;
    }
    if (line) lines.push(line.trimEnd());
    line = '';
    if (fits(word.trimEnd())) {
      line = word;
      continue;
    }
    const hyphen = UNHYPHENATED.test(word) ? '' : '-';
    for (const letter of clustersOf(word.trimEnd())) {
      if (line && !fits(line + letter + hyphen)) {
        lines.push(line + hyphen);
        line = '';
      }
      line += letter;
    }
    if (/\s$/.test(word)) line += ' ';
  }
  if (line.trimEnd()) lines.push(line.trimEnd());
  return lines;
}

/** Balances the lines: finds the narrowest column with the same number of lines. */
function balance(lines: string[], text: string, measure: (line: string) => number, width: number): string[] {
  let low = Math.max(...wordsOf(text).map((word) => measure(word.trimEnd())));
  let high = width;
  let best = lines;
  while (high - low > 4) {
    const middle = (low + high) / 2;
    const narrower = wrap(text, (line) => measure(line) <= middle);
    if (narrower.length <= lines.length) {
      best = narrower;
      high = middle;
    } else low = middle;
  }
  return best;
}

function clip(lines: string[], room: number, fits: (line: string) => boolean): string[] {
  if (lines.length <= room) return lines;
  const kept = lines.slice(0, room);
  let last = clustersOf(kept[room - 1] ?? '');
  while (last.length > 1 && !fits(last.join('').trimEnd() + '…')) last = last.slice(0, -1);
  kept[room - 1] = last.join('').replace(/[\s,.;:–—-]+$/u, '') + '…';
  return kept;
}
