import type { Pattern } from './pattern.ts';
import { WIDTH, dot, onCircle, polygon } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/** A Metro station: the coffered vault receding into the tunnel, the lights along the platform's edge. */
export const vault: Pattern = ({ random, palette, floor }) => {
  const center: Point = [random.between(640, 980), floor - 34];
  const coffers = random.pick([9, 11, 13]);
  const growth = random.between(1.34, 1.5);
  let inner = random.between(52, 76);
  let drawing = '';
  for (let bay = 0; inner < WIDTH * 1.1; bay++) {
    const outer = inner * growth;
    const rib = (outer - inner) * 0.11;
    for (let coffer = 0; coffer < coffers; coffer++) {
      const start = 180 + (180 * (coffer + 0.06)) / coffers;
      const end = 180 + (180 * (coffer + 0.94)) / coffers;
      const shade = random.between(0, 1);
      const quiet = (bay + coffer) % 2 ? palette.tone : palette.tone2;
      const color = bay === 0 || shade < 0.09 ? palette.line : shade < 0.13 ? palette.second : quiet;
      const corners: Point[] = [
        onCircle(center, inner + rib, start),
        onCircle(center, outer - rib, start),
        onCircle(center, outer - rib, end),
        onCircle(center, inner + rib, end),
      ];
      drawing += polygon(corners, color);
    }
    inner = outer;
  }
  for (const side of [-1, 1]) {
    let distance = 70;
    for (let light = 0; distance < WIDTH; light++) {
      drawing += dot([center[0] + side * distance, floor - 10], 2.5 + light * 0.9, palette.light);
      distance += 24 + light * 7;
    }
  }
  return drawing + dot([center[0], center[1] - 18], 28, palette.light);
};
