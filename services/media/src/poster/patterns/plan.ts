import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, n, onCircle, rect, stroke } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/** L'Enfant's plan from above: lettered and numbered streets, avenues cut across them from circle to circle. */
export const plan: Pattern = ({ random, palette }) => {
  let drawing = '';
  const street = 10;
  for (let x = -160; x < WIDTH + 160;) {
    const width = random.pick([44, 58, 74, 96]);
    for (let y = -160; y < HEIGHT + 160;) {
      const height = random.pick([34, 48, 48, 70]);
      const shade = random.between(0, 1);
      if (shade < 0.035) drawing += rect(x, y, width, height, palette.line);
      else if (shade < 0.055) drawing += rect(x, y, width, height, palette.second);
      else if (shade < 0.92) drawing += rect(x, y, width, height, shade < 0.5 ? palette.tone : palette.tone2);
      y += height + street;
    }
    x += width + street;
  }

  const hub: Point = [random.between(760, 1040), random.between(170, 300)];
  const bearing = random.between(20, 36);
  const other = onCircle(hub, random.between(420, 560), 180 + bearing * (random.chance(0.5) ? 1 : -1));
  for (const circle of [other, hub]) {
    for (const degrees of [bearing, 180 - bearing]) {
      const [x1, y1] = onCircle(circle, 1600, degrees);
      const [x2, y2] = onCircle(circle, 1600, degrees + 180);
      drawing += stroke(`M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`, palette.ground, 30);
    }
  }
  for (const degrees of [0, 90]) {
    const [x1, y1] = onCircle(hub, 1600, degrees);
    const [x2, y2] = onCircle(hub, 1600, degrees + 180);
    drawing += stroke(`M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`, palette.ground, 24);
  }
  const [fx, fy] = onCircle(hub, 1600, -bearing);
  const [tx, ty] = onCircle(hub, 1600, 180 - bearing);
  const lit = stroke(`M${n(fx)} ${n(fy)}L${n(tx)} ${n(ty)}`, palette.line, 16);
  const circles = dot(other, 54, palette.ground) + dot(other, 26, palette.tone2);
  return (
    drawing +
    circles +
    lit +
    dot(hub, 92, palette.ground) +
    dot(hub, 58, 'none', palette.line, 16) +
    dot(hub, 18, palette.light)
  );
};
