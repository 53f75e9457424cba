import bidiFactory from 'bidi-js';
import type { Face, FontFile } from './faces.ts';

/** A run of characters in one font. The text is in reading order, because fontkit reverses right-to-left scripts. */
export interface Run {
  file: FontFile;
  text: string;
  /** In ems. */
  width: number;
}

/** A drawn line; its runs are in order from left to right. */
export interface Line {
  runs: Run[];
  /** In ems. */
  width: number;
}

interface Cluster {
  text: string;
  file: FontFile;
  /** Embedding level of the Unicode bidirectional algorithm (UAX 9); odd levels are right to left. */
  level: number;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

export const clustersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

export type Direction = 'ltr' | 'rtl';

/** The direction of a whole text, which is the direction of its first strong character. */
export const directionOf = (text: string): Direction =>
  bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';

/** Sets one line: selects a font for each character and puts the runs in visual order. */
export function setLine(face: Face, text: string, direction: Direction = directionOf(text)): Line {
  const runs = visual(levelsOf(face, text, direction)).map(toRun);
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) };
}

function levelsOf(face: Face, text: string, direction: Direction): Cluster[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  return [...graphemes.segment(text)].map(({ segment, index }) => {
    const level = levels[index]!;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(segment) : null;
    const shown = drawable(face, mirrored ?? segment);
    return { text: shown, file: face.fileOf(shown), level };
  });
}

/** Removes marks that no font has from a cluster, because a missing-glyph box is less readable than the bare letter. */
function drawable(face: Face, cluster: string): string {
  if (face.has(cluster)) return cluster;
  let kept = '';
  for (const char of cluster) if (kept === '' || !/\p{M}/u.test(char) || face.has(kept + char)) kept += char;
  return kept;
}

/** Splits clusters into runs of one font and one level, in visual order (UAX 9, rule L2). */
function visual(clusters: Cluster[]): Cluster[][] {
  const ordered = [...clusters];
  const highest = Math.max(0, ...clusters.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  const runs: Cluster[][] = [];
  for (const cluster of ordered) {
    const last = runs.at(-1)?.[0];
    if (last && last.file === cluster.file && last.level === cluster.level) runs.at(-1)!.push(cluster);
    else runs.push([cluster]);
  }
  return runs;
}

const READ_FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function toRun(clusters: Cluster[]): Run {
  const { file } = clusters[0]!;
  const texts = clusters.map(({ text }) => text);
  // fontkit reverses these scripts itself, but it does not reverse neutral characters between them.
  if (READ_FROM_RIGHT.test(texts.join(''))) texts.reverse();
  const text = texts.join('');
  return { file, text, width: file.font.layout(text).advanceWidth / file.font.unitsPerEm };
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Splits a text into pieces between which a line may break. In scripts with spaces, a piece is a word with the space
 * after it.
 */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = pieces.at(-1);
    const mayBreak =
      last === undefined || /\s$/.test(last) || (UNSPACED.test(last.at(-1)!) && UNSPACED.test(segment[0]!));
    if (mayBreak && !/^\s/.test(segment)) pieces.push(segment);
    else pieces[pieces.length - 1] = (last ?? '') + segment;
  }
  return pieces;
}

/** Returns how many of the first clusters fit. Uses a binary search, because each try shapes the text again. */
function countThatFit(clusters: string[], fits: (line: string) => boolean): number {
  let low = 0;
  let high = clusters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(clusters.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Breaks a text into lines of at most `width` ems. A word that is wider is broken. Lines after `maxLines` are dropped,
 * and the last line gets an ellipsis.
 */
export function setLines(face: Face, text: string, { width, maxLines }: { width: number; maxLines: number }): Line[] {
  const direction = directionOf(text);
  const set = (line: string) => setLine(face, line.trimEnd(), direction);
  const fits = (line: string) => set(line).width <= width;

  const lines: string[] = [];
  let line = '';
  const end = () => {
    lines.push(line);
    line = '';
  };
  for (const piece of piecesOf(text)) {
    if (fits(line + piece)) {
      line += piece;
      continue;
    }
    if (line !== '') end();
    let rest = clustersOf(piece);
    while (!fits(rest.join(''))) {
      const count = Math.max(1, countThatFit(rest, fits));
      line = rest.slice(0, count).join('');
      end();
      rest = rest.slice(count);
    }
    line = rest.join('');
  }
  end();
  if (lines.length > maxLines) {
    const last = clustersOf(lines[maxLines - 1]!.trimEnd());
    while (last.length > 1 && !fits(`${last.join('')}…`)) last.pop();
    lines.splice(maxLines - 1, Infinity, `${last.join('').trimEnd()}…`);
  }
  return lines.map(set);
}
