import type { Pattern } from './pattern.ts';
import { WIDTH, above, arc, dot, onCircle, stroke } from '../shapes.ts';

/** The ring road: lanes around the city, each with an opening. The lit lane passes under the text. */
export const ring: Pattern = ({ random, palette, floor }) => {
  const center = [random.between(780, 1020), floor * random.between(0.46, 0.6)] as const;
  const litAt = floor * random.between(0.36, 0.46);
  let below = '';
  let over = '';
  let loud = '';
  let radius = random.between(44, 70);
  let lit = false;
  let second = false;
  for (let lane = 0; radius < WIDTH; lane++) {
    const width = random.pick([30, 42, 56]);
    radius += width / 2;
    const opening = random.between(0, 360);
    const road = arc(center, radius, opening, opening + random.between(230, 335));
    below += stroke(road, palette.tone, width, 'round');
    over += stroke(road, lane % 2 ? palette.tone2 : palette.tone, width, 'round');
    if (!lit && radius + width > litAt) {
      lit = true;
      // The opening faces down and aside, so that most of the road is visible.
      const from = random.pick([random.between(20, 50), random.between(100, 130)]);
      loud += stroke(arc(center, radius, from, from + 320), palette.line, width, 'round');
      const exits = Math.round((radius / 62) * random.between(3.4, 4.6));
      for (let exit = 0; exit <= exits; exit++)
        loud += dot(onCircle(center, radius, from + (320 * exit) / exits), width * 0.26, palette.light);
    } else if (lit && !second) {
      second = true;
      const from = random.between(175, 230);
      loud += stroke(arc(center, radius, from, from + random.between(50, 110)), palette.second, width, 'round');
    }
    radius += width / 2 + random.pick([12, 16]);
  }
  return below + above(floor, over + loud) + dot(center, random.between(20, 32), palette.line);
};
