import { categoryOf } from '@beltway/contracts/media/images';
import type { PosterEvent, PosterLook } from '@beltway/contracts/media/images';
import { fit } from './fit.ts';
import { paletteOf } from './palette.ts';
import type { Palette } from './palette.ts';
import { blossom } from './patterns/blossom.ts';
import { metro } from './patterns/metro.ts';
import { moon } from './patterns/moon.ts';
import type { Pattern } from './patterns/pattern.ts';
import { plan } from './patterns/plan.ts';
import { ring } from './patterns/ring.ts';
import { vault } from './patterns/vault.ts';
import { randomFrom } from '@beltway/contracts/media/poster-random';
import { HEIGHT, WIDTH, arc, dot, rect, stroke } from './shapes.ts';
import { loadTypeface } from './typeface.ts';
import type { Typeface } from './typeface.ts';
import { datesOf, whenOf } from './when.ts';

const PATTERNS: [Pattern, ...Pattern[]] = [ring, plan, metro, moon, vault, blossom];
const MARGIN = 64;
const TITLE = { largest: 176, smallest: 54, leading: 0.94, tracking: -0.028, maxLines: 4 };
/**
 * Arabic, Thai and Korean glyphs extend further up and down than Latin glyphs. Multiples of the font size: line
 * spacing, and space under the last line.
 */
const FOREIGN = { leading: 1.2, depth: 0.34 };
const OWN = { leading: TITLE.leading, depth: 0.22 };
const FOOT = 44;

/**
 * The poster as SVG. The SVG contains only outlines and numbers, so typed text never becomes markup. `plain` has no
 * text.
 */
export async function composePoster(event: PosterEvent, look: PosterLook = 'titled'): Promise<string> {
  const random = randomFrom(event.eventId ?? event.id ?? 0);
  const category = categoryOf(event.tags);
  const palette = paletteOf(category.line, random);
  const pattern = random.pick(PATTERNS);
  if (look === 'plain') return sheet(palette, pattern({ random, palette, floor: HEIGHT - MARGIN }));

  const [display, text] = await Promise.all([loadTypeface(800), loadTypeface(500)]);
  const date = datesOf(event);
  const { time } = whenOf(event);
  const title = display.clean(event.title);
  // If no font has the title's letters, the date replaces it.
  const words = setTitle(display, title || date, palette.text);
  const facts = title ? [date, time] : [time];

  return sheet(
    palette,
    pattern({ random, palette, floor: words.top - 36 }) +
      words.drawing +
      setFoot(display, text, facts, text.clean(event.location), palette) +
      setSign(text, category.label, palette),
  );
}

const sheet = (palette: Palette, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
  `${rect(0, 0, WIDTH, HEIGHT, palette.ground)}${drawing}</svg>`;

/** Sets the title in large letters, at the bottom left, above the foot. */
function setTitle(face: Typeface, title: string, color: string): { top: number; drawing: string } {
  const { leading, depth } = face.isForeign(title) ? FOREIGN : OWN;
  const block = fit(face, title, { ...TITLE, leading, width: WIDTH - 2 * MARGIN, height: 360 });
  const bottom = HEIGHT - MARGIN - FOOT - 22 - block.size * depth;
  const last = block.lines.length - 1;
  const outlines = block.lines.map((line, at) =>
    // Large letters have more space on their left, so they are shifted to align with the small letters.
    face.outline(line, MARGIN - block.size * 0.045, bottom - (last - at) * block.leading, block.size, TITLE.tracking),
  );
  return {
    top: bottom - last * block.leading - block.size * 0.76,
    drawing: `<path d="${outlines.join('')}" fill="${color}"/>`,
  };
}

/** Date, time and place, as stops on a metro line. */
function setFoot(display: Typeface, text: Typeface, facts: string[], place: string, palette: Palette): string {
  const y = HEIGHT - MARGIN;
  let x = MARGIN;
  let drawing = '';
  const stop = () => {
    drawing += dot([x + 30, y - FOOT * 0.33], 8, palette.line);
    x += 60;
  };
  facts.forEach((fact, at) => {
    if (at > 0) stop();
    drawing += `<path d="${display.outline(fact, x, y, FOOT)}" fill="${palette.text}"/>`;
    x += display.width(fact, FOOT);
  });
  if (!place) return drawing;
  stop();
  const box = {
    width: WIDTH - MARGIN - x,
    height: FOOT * 1.4,
    largest: FOOT,
    smallest: 36,
    leading: 1,
    tracking: 0,
    maxLines: 1,
  };
  const { lines, size } = fit(text, place, box);
  return drawing + `<path d="${text.outline(lines[0] ?? '', x, y, size)}" fill="${palette.quiet}"/>`;
}

/** The mark, a ring with one opening, and the category, on a plate like a station's sign. */
function setSign(text: Typeface, label: string, palette: Palette): string {
  const size = 34;
  const plate = rect(MARGIN - 22, MARGIN - 20, text.width(label, size) + 112, 76, palette.ground, 38);
  const center = [MARGIN + 20, MARGIN + 18] as const;
  const ring = stroke(arc(center, 19, -25, 295), palette.text, 8, 'round') + dot(center, 6.5, palette.line);
  return plate + ring + `<path d="${text.outline(label, MARGIN + 56, MARGIN + 30, size)}" fill="${palette.text}"/>`;
}
