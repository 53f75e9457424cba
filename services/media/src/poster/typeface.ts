import { face, type Face } from '@beltway/typeset/faces';
import { fontFile } from '@beltway/typeset/font-files';
import { clustersOf, setLine, type Run } from '@beltway/typeset/lines';
import type { Font, Glyph, PathCommand } from 'opentype.js';
import { n } from './shapes.ts';

/**
 * One weight of Bricolage Grotesque, with other fonts for other scripts. Text becomes outlines, so that the machine's
 * fonts do not matter.
 */
export interface Typeface {
  /** Keeps the characters that can be drawn: removes emoji and rare accents, and normalizes spaces. */
  clean(text: string): string;
  /** Whether part of the text needs another font. */
  isForeign(text: string): boolean;
  /** Width in pixels. */
  width(text: string, size: number, tracking?: number): number;
  /** SVG path data with the baseline's left end at x, y. Tracking is in em. */
  outline(text: string, x: number, y: number, size: number, tracking?: number): string;
}

const SUBSETS = ['latin', 'latin-ext', 'vietnamese'];
const loaded = new Map<number, Promise<Typeface>>();

export function loadTypeface(weight: 500 | 800): Promise<Typeface> {
  const known = loaded.get(weight);
  if (known) return known;
  const loading = load(weight);
  loaded.set(weight, loading);
  return loading;
}

async function load(weight: 500 | 800): Promise<Typeface> {
  const { default: opentype } = await import('opentype.js');
  const fonts = SUBSETS.map((subset) =>
    opentype.parse(new Uint8Array(fontFile('bricolage-grotesque', subset, weight)).buffer),
  );
  return typeface(fonts, face('bricolage-grotesque', weight));
}

const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;

function typeface(fonts: Font[], others: Face): Typeface {
  const fontOf = (char: string) => fonts.find((font) => font.charToGlyphIndex(char) > 0);

  /** Places each glyph, with the font's kerning. */
  function place(
    text: string,
    size: number,
    tracking: number,
  ): { width: number; glyphs: Array<{ glyph: Glyph; at: number }> } {
    const glyphs: Array<{ glyph: Glyph; at: number }> = [];
    let pen = 0;
    let before: { font: Font; glyph: Glyph } | undefined;
    for (const char of text) {
      const font = fontOf(char);
      if (!font) continue;
      const glyph = font.charToGlyph(char);
      const scale = size / font.unitsPerEm;
      if (before) pen += tracking * size;
      if (before?.font === font) pen += font.getKerningValue(before.glyph, glyph) * scale;
      glyphs.push({ glyph, at: pen });
      pen += glyph.advanceWidth * scale;
      before = { font, glyph };
    }
    return { width: pen, glyphs };
  }

  const isOwn = (text: string) => [...text].every((char) => fontOf(char));

  /** A line with several scripts: each run in its font, from left to right. */
  function mixed(
    text: string,
    size: number,
    tracking: number,
  ): { width: number; runs: Array<{ run: Run; at: number; width: number }> } {
    let pen = 0;
    const runs = setLine(others, text).runs.map((run) => {
      const at = pen;
      const width = isOwn(run.text) ? place(run.text, size, tracking).width : run.width * size;
      pen += width;
      return { run, at, width };
    });
    return { width: pen, runs };
  }

  function clean(text: string): string {
    let kept = '';
    for (const cluster of clustersOf(text.normalize('NFC'))) {
      let own = '';
      for (const char of cluster) {
        if (/\s/u.test(char)) own += ' ';
        else if (fontOf(char)) own += char;
        else for (const part of char.normalize('NFKD')) if (!/\p{M}/u.test(part) && fontOf(part)) own += part;
      }
      const isForeign = own === '' && /[\p{L}\p{N}\p{P}\p{S}]/u.test(cluster) && !EMOJI.test(cluster);
      kept += isForeign && others.has(cluster) ? cluster : own;
    }
    return kept
      .replace(/\s+/g, ' ')
      .replace(/\(\s*\)|\[\s*\]/g, '')
      .replace(/^[\s\-–—·|,:;/+&]+|[\s\-–—·|,:;/+&]+$/gu, '');
  }

  return {
    clean,
    isForeign: (text) => !isOwn(text),
    width: (text, size, tracking = 0) =>
      isOwn(text) ? place(text, size, tracking).width : mixed(text, size, tracking).width,
    outline: (text, x, y, size, tracking = 0) =>
      isOwn(text)
        ? outlineOf(text, x, y, size, tracking)
        : mixed(text, size, tracking)
            .runs.map(({ run, at }) =>
              isOwn(run.text) ? outlineOf(run.text, x + at, y, size, tracking) : shaped(run, x + at, y, size),
            )
            .join(''),
  };

  function outlineOf(text: string, x: number, y: number, size: number, tracking: number): string {
    return place(text, size, tracking)
      .glyphs.flatMap(({ glyph, at }) => glyph.getPath(x + at, y, size).commands.map(spell))
      .join('');
  }
}

const SVG = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' } as const;

/** Letters of another script, joined and stacked by their font. In fonts, y points up; in SVG, y points down. */
function shaped({ file, text }: Run, x: number, y: number, size: number): string {
  const scale = size / file.font.unitsPerEm;
  const { glyphs, positions } = file.font.layout(text);
  let pen = 0;
  return glyphs
    .flatMap(({ path }, index) => {
      const { xOffset, yOffset, xAdvance } = positions[index]!;
      const [left, base] = [pen + xOffset, yOffset];
      pen += xAdvance;
      return path.commands.map(
        ({ command, args }) =>
          SVG[command] +
          args.map((value, at) => n(at % 2 === 0 ? x + (left + value) * scale : y - (base + value) * scale)).join(' '),
      );
    })
    .join('');
}

/** Replaces opentype.js's serialization, which drops points of some glyphs. */
function spell(command: PathCommand): string {
  switch (command.type) {
    case 'Z':
      return 'Z';
    case 'Q':
      return `Q${n(command.x1)} ${n(command.y1)} ${n(command.x)} ${n(command.y)}`;
    case 'C':
      return `C${n(command.x1)} ${n(command.y1)} ${n(command.x2)} ${n(command.y2)} ${n(command.x)} ${n(command.y)}`;
    default:
      return `${command.type}${n(command.x)} ${n(command.y)}`;
  }
}
