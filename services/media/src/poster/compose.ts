import { categoryOf } from '@beltway/contracts/media';
import type { PosterEvent } from '@beltway/contracts/media';
import { fit } from './fit.ts';
import { paletteOf } from './palette.ts';
import { metro } from './patterns/metro.ts';
import { moon } from './patterns/moon.ts';
import type { Pattern } from './patterns/pattern.ts';
import { plan } from './patterns/plan.ts';
import { ring } from './patterns/ring.ts';
import { vault } from './patterns/vault.ts';
import { randomFrom } from './random.ts';
import { HEIGHT, WIDTH, arc, dot, stroke } from './shapes.ts';
import { loadTypeface } from './typeface.ts';
import { whenOf } from './when.ts';

const PATTERNS: [Pattern, ...Pattern[]] = [ring, plan, metro, moon, vault];
const MARGIN = 64;
const DISPLAY_TRACKING = -0.025;
const LEADING = 0.93;

/** The poster as SVG. Only outlines and numbers are in it: what people typed never becomes markup. */
export async function composePoster(event: PosterEvent): Promise<string> {
  const [display, text] = await Promise.all([loadTypeface(800), loadTypeface(500)]);
  const random = randomFrom(event.eventId ?? event.id ?? 0);
  const category = categoryOf(event.tags);
  const palette = paletteOf(category.line, random);
  const drawing = random.pick(PATTERNS)({ random, palette });

  const when = whenOf(event);
  const title = display.clean(event.title) || `${when.weekday} ${when.day}`;
  const place = text.clean(event.location);

  const block = fit(display, title, {
    width: WIDTH - 2 * MARGIN,
    height: 420,
    largest: 188,
    smallest: 60,
    leading: LEADING,
    tracking: DISPLAY_TRACKING,
    maxLines: 4,
  });
  const foot = HEIGHT - MARGIN;
  const titleFoot = foot - 76;
  const lines = block.lines.map((line, at) => {
    const y = titleFoot - (block.lines.length - 1 - at) * block.leading;
    return display.outline(line, MARGIN - block.size * 0.04, y, block.size, DISPLAY_TRACKING);
  });
  const titleTop = titleFoot - (block.lines.length - 1) * block.leading - block.size * 0.75;

  const date = `${when.weekday}, ${when.day}`;
  const dateSize = 42;
  const dateWidth = display.width(`${date}  ${when.time}`, dateSize);
  const room = WIDTH - 2 * MARGIN - dateWidth - 50;
  const placeBlock = fit(text, place, {
    width: room,
    height: 60,
    largest: dateSize,
    smallest: 34,
    leading: 1,
    tracking: 0,
    maxLines: 1,
  });

  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<defs><linearGradient id="fade" x1="0" y1="0" x2="0" y2="1">` +
    `<stop offset="0" stop-color="${palette.ground}" stop-opacity="0"/><stop offset="1" stop-color="${palette.ground}" stop-opacity="1"/></linearGradient></defs>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>` +
    drawing +
    `<rect y="${Math.round(titleTop - 170)}" width="${WIDTH}" height="171" fill="url(#fade)"/>` +
    `<rect y="${Math.round(titleTop)}" width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>` +
    `<path d="${lines.join('')}" fill="${palette.text}"/>` +
    `<path d="${display.outline(`${date}  ${when.time}`, MARGIN, foot, dateSize)}" fill="${palette.text}"/>` +
    `<path d="${text.outline(placeBlock.lines[0] ?? '', MARGIN + dateWidth + 50, foot, placeBlock.size)}" fill="${palette.quiet}"/>` +
    mark(palette.text, palette.line) +
    `<path d="${text.outline(category.label, MARGIN + 62, MARGIN + 37, 34)}" fill="${palette.text}"/>` +
    `</svg>`
  );
}

/** The ring with one opening. */
const mark = (ringColor: string, heart: string) =>
  stroke(arc([MARGIN + 24, MARGIN + 25], 19, -25, 295), ringColor, 8, 'round') +
  dot([MARGIN + 24, MARGIN + 25], 6, heart);
