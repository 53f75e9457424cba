import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, n, onCircle, rect, stroke } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/**
 * L'Enfant's plan from above: lettered and numbered streets, avenues across them from circle to circle, down to the
 * river.
 */
export const plan: Pattern = ({ random, palette, floor }) => {
  const street = 10;
  let blocks = '';
  for (let x = -20; x < WIDTH;) {
    const width = random.pick([44, 58, 74, 96]);
    for (let y = -20; y < floor + 40;) {
      const height = random.pick([34, 48, 48, 70]);
      const shade = random.between(0, 1);
      if (shade < 0.045) blocks += rect(x, y, width, height, palette.line);
      else if (shade < 0.07) blocks += rect(x, y, width, height, palette.second);
      else if (shade < 0.94) blocks += rect(x, y, width, height, shade < 0.5 ? palette.tone : palette.tone2);
      y += height + street;
    }
    x += width + street;
  }

  const hub: Point = [random.between(700, 1060), floor * random.between(0.38, 0.52)];
  const bearing = random.between(20, 36);
  const side = random.chance(0.5) ? 1 : -1;
  const other = onCircle(hub, random.between(400, 560), 180 + bearing * side);
  const avenue = (through: Point, degrees: number, color: string, width: number) => {
    const [x1, y1] = onCircle(through, 1700, degrees);
    const [x2, y2] = onCircle(through, 1700, degrees + 180);
    return stroke(`M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`, color, width);
  };
  const streets =
    [bearing, -bearing]
      .map((degrees) => avenue(other, degrees, palette.ground, 28) + avenue(hub, degrees, palette.ground, 28))
      .join('') +
    avenue(hub, 0, palette.ground, 24) +
    avenue(hub, 90, palette.ground, 24);
  const lit = avenue(hub, bearing * side, palette.line, 16);
  const circles =
    dot(other, 56, palette.ground) +
    dot(other, 30, palette.line) +
    dot(hub, 90, palette.ground) +
    dot(hub, 56, 'none', palette.line, 16) +
    dot(hub, 18, palette.light);

  return blocks + streets + lit + circles + river(floor, random.between(-40, 40), palette.ground, palette.tone2);
};

/** Draws the river, which is the ground of the text. */
function river(floor: number, swing: number, water: string, ripple: string): string {
  const bank = (y: number) =>
    `M-20 ${n(y + swing)}C${WIDTH * 0.3} ${n(y - 60 - swing)} ${WIDTH * 0.6} ${n(y + 50 + swing)} ${WIDTH + 20} ${n(y - 30 - swing)}`;
  return (
    `<path d="${bank(floor - 26)}V${HEIGHT + 20}H-20Z" fill="${water}"/>` +
    stroke(bank(floor - 4), ripple, 6) +
    stroke(bank(floor + 16), ripple, 2)
  );
}
