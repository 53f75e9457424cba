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

/** A word too long for a line is set smaller than anything else before it is broken. */
const SMALLEST_FOR_A_WORD = 40;

/** The largest setting of a text that fits its box; at the smallest size the rest is cut with an ellipsis. */
export function fit(face: Typeface, text: string, box: Box): Block {
  const measure = (line: string, size: number) => face.width(line, size, box.tracking);
  const setAt = (size: number) => wrap(text, (line) => measure(line, size) <= box.width);
  const linesAt = (size: number) =>
    Math.max(1, Math.min(box.maxLines, 1 + Math.floor((box.height - size) / (size * box.leading))));
  const breaksAt = (size: number) => text.split(' ').some((word) => measure(word, size) > box.width);

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

/** Greedy lines; a word wider than a line is broken. */
function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = '';
    for (const char of word) {
      if (line && !fits(line + char + '-')) {
        lines.push(line + '-');
        line = '';
      }
      line += char;
    }
  }
  if (line) lines.push(line);
  return lines;
}

/** The same number of lines, as even as they go: the narrowest column that needs no more lines. */
function balance(lines: string[], text: string, measure: (line: string) => number, width: number): string[] {
  let low = Math.max(...text.split(' ').map(measure));
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
  let last = [...(kept[room - 1] ?? '')];
  while (last.length > 1 && !fits(last.join('').trimEnd() + '…')) last = last.slice(0, -1);
  kept[room - 1] = last.join('').replace(/[\s,.;:–—-]+$/u, '') + '…';
  return kept;
}
