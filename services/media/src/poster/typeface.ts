import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font, Glyph, PathCommand } from 'opentype.js';
import { n } from './shapes.ts';

/** One weight of Bricolage Grotesque. Text becomes outlines, so no font of the machine matters. */
export interface Typeface {
  /** Only what this typeface can draw: emoji and foreign scripts go, rare accents are taken off, spaces are tidied. */
  clean(text: string): string;
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

async function load(weight: number): Promise<Typeface> {
  const { default: opentype } = await import('opentype.js');
  const fonts = await Promise.all(
    SUBSETS.map(async (subset) => {
      const name = `@fontsource/bricolage-grotesque/files/bricolage-grotesque-${subset}-${weight}-normal.woff`;
      const bytes = await readFile(fileURLToPath(import.meta.resolve(name)));
      return opentype.parse(new Uint8Array(bytes).buffer);
    }),
  );
  return typeface(fonts);
}

function typeface(fonts: Font[]): Typeface {
  const fontOf = (char: string) => fonts.find((font) => font.charToGlyphIndex(char) > 0);

  /** Glyph by glyph: where each stands, with pairs kerned as the font says. */
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

  function clean(text: string): string {
    let kept = '';
    for (const char of text.normalize('NFC')) {
      if (/\s/u.test(char)) kept += ' ';
      else if (fontOf(char)) kept += char;
      else for (const part of char.normalize('NFKD')) if (!/\p{M}/u.test(part) && fontOf(part)) kept += part;
    }
    return kept
      .replace(/\s+/g, ' ')
      .replace(/\(\s*\)|\[\s*\]/g, '')
      .replace(/^[\s\-–—·|,:;/+&]+|[\s\-–—·|,:;/+&]+$/gu, '');
  }

  return {
    clean,
    width: (text, size, tracking = 0) => place(text, size, tracking).width,
    outline: (text, x, y, size, tracking = 0) =>
      place(text, size, tracking)
        .glyphs.flatMap(({ glyph, at }) => glyph.getPath(x + at, y, size).commands.map(spell))
        .join(''),
  };
}

/** opentype.js has its own spelling, which drops points of some glyphs. */
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
