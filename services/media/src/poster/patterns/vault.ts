import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, onCircle, polygon } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/** A Metro station: the coffered vault running away to the tunnel, lights along the platform's edge. */
export const vault: Pattern = ({ random, palette }) => {
  const center: Point = [random.between(760, 960), random.between(330, 400)];
  const coffers = random.pick([11, 13, 15]);
  const growth = random.between(1.3, 1.42);
  const from = 180 - 8;
  const span = 180 + 16;
  let drawing = '';
  let inner = random.between(64, 90);
  for (let bay = 0; inner < 1400; bay++) {
    const outer = inner * growth;
    const rib = (outer - inner) * 0.13;
    for (let coffer = 0; coffer < coffers; coffer++) {
      const start = from + (span * (coffer + 0.07)) / coffers;
      const end = from + (span * (coffer + 0.93)) / coffers;
      const shade = random.between(0, 1);
      const color =
        bay === 0 || shade < 0.06
          ? palette.line
          : shade < 0.09
            ? palette.second
            : (bay + coffer) % 2
              ? palette.tone
              : palette.tone2;
      drawing += polygon(
        [
          onCircle(center, inner + rib, start),
          onCircle(center, outer - rib, start),
          onCircle(center, outer - rib, end),
          onCircle(center, inner + rib, end),
        ],
        color,
      );
    }
    inner = outer;
  }
  const floor = center[1] + 8;
  drawing += polygon(
    [
      [center[0] - 60, floor],
      [center[0] + 60, floor],
      [WIDTH * 1.6, HEIGHT * 1.5],
      [-WIDTH * 0.9, HEIGHT * 1.5],
    ],
    palette.ground,
  );
  for (const side of [-1, 1]) {
    let distance = 40;
    for (let light = 0; light < 9; light++) {
      drawing += dot([center[0] + side * distance * 1.35, floor + distance * 0.62], 3 + light * 2.1, palette.light);
      distance *= 1.36;
    }
  }
  return drawing + dot([center[0], floor - 22], 34, palette.light);
};
