import { create, type Font } from 'fontkit';
import { fontFile, type Weight } from './font-files.ts';

/** One file of a font. */
export interface FontFile {
  name: string;
  bytes: Buffer;
  font: Font;
}

/** A typeface of the site, with its fallback fonts. */
export interface Face {
  /**
   * The first font file that has every character of a cluster (a character with its marks, or a sequence of emoji). If
   * no file has every character, the typeface's own file.
   */
  fileOf(cluster: string): FontFile;
  /** True if any font file has every character of the cluster. */
  has(cluster: string): boolean;
  own: FontFile;
}

/**
 * Fallback fonts in the order in which they are tried. Each font is tried only for its scripts, because the Chinese and
 * Korean fonts are several megabytes.
 */
const FALLBACKS: ReadonlyArray<{ family: string; subset: string; letters: RegExp }> = [
  { family: 'noto-sans', subset: 'vietnamese', letters: /[\p{Script=Latin}\p{M}₫]/u },
  { family: 'noto-sans', subset: 'latin-ext', letters: /[\p{Script=Latin}\p{Sc}\p{M}]/u },
  { family: 'noto-sans', subset: 'latin', letters: /[\p{P}\p{S}\p{N}]/u },
  { family: 'noto-sans', subset: 'greek', letters: /\p{Script=Greek}/u },
  { family: 'noto-sans', subset: 'greek-ext', letters: /\p{Script=Greek}/u },
  { family: 'noto-sans', subset: 'cyrillic', letters: /\p{Script=Cyrillic}/u },
  { family: 'noto-sans', subset: 'cyrillic-ext', letters: /[\p{Script=Cyrillic}№]/u },
  { family: 'noto-sans', subset: 'devanagari', letters: /[\p{Script=Devanagari}₹।]/u },
  { family: 'noto-sans-hebrew', subset: 'hebrew', letters: /[\p{Script=Hebrew}₪]/u },
  { family: 'noto-sans-arabic', subset: 'arabic', letters: /[\p{Script=Arabic}،؛؟٪]/u },
  { family: 'noto-sans-ethiopic', subset: 'ethiopic', letters: /\p{Script=Ethiopic}/u },
  { family: 'noto-sans-thai', subset: 'thai', letters: /[\p{Script=Thai}฿]/u },
  {
    family: 'noto-sans-sc',
    subset: 'chinese-simplified',
    letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef\u30fb\u30fc]/u,
  },
  { family: 'noto-sans-kr', subset: 'korean', letters: /[\p{Script=Hangul}\p{Script=Han}]/u },
  { family: 'noto-emoji', subset: 'emoji', letters: /[\p{Extended_Pictographic}\p{Emoji}]/u },
];
/** The weights that every fallback has. */
const REGULAR = 400;
const BOLD = 700;

const files = new Map<string, FontFile>();

function open(family: string, subset: string, weight: Weight): FontFile {
  const name = `${family}-${subset}-${weight}`;
  const known = files.get(name);
  if (known) return known;
  const bytes = fontFile(family, subset, weight);
  const file = { name, bytes, font: create(bytes) as Font };
  files.set(name, file);
  return file;
}

/** Variation selectors and joiners, which need no glyph of their own. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

const hasAll = ({ font }: FontFile, cluster: string) =>
  [...cluster].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0)!) || IGNORABLE.test(char));

export function face(family: 'bricolage-grotesque' | 'instrument-sans', weight: Weight): Face {
  const own = open(family, 'latin', weight);
  const chosen = new Map<string, FontFile | undefined>();

  function search(cluster: string): FontFile | undefined {
    if (hasAll(own, cluster)) return own;
    const more = open(family, 'latin-ext', weight);
    if (hasAll(more, cluster)) return more;
    return FALLBACKS.filter(({ letters }) => letters.test(cluster))
      .map(({ family, subset }) => open(family, subset, weight < 600 ? REGULAR : BOLD))
      .find((file) => hasAll(file, cluster));
  }

  function find(cluster: string): FontFile | undefined {
    if (!chosen.has(cluster)) {
      if (chosen.size >= MAX_REMEMBERED) chosen.clear();
      chosen.set(cluster, search(cluster));
    }
    return chosen.get(cluster);
  }

  return { own, has: (cluster) => find(cluster) !== undefined, fileOf: (cluster) => find(cluster) ?? own };
}

/** Maximum number of clusters whose font file is cached per face. */
const MAX_REMEMBERED = 5_000;
