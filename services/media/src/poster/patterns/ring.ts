import type { Pattern } from './pattern.ts';
import { arc, dot, onCircle, stroke } from '../shapes.ts';

/** The ring road: lanes around the city, each with its opening, one of them lit, exits as stations. */
export const ring: Pattern = ({ random, palette }) => {
  const center = [random.between(820, 1010), random.between(150, 330)] as const;
  const lit = random.whole(2, 4);
  let drawing = '';
  let radius = random.between(70, 110);
  for (let lane = 0; lane < 8; lane++) {
    const width = random.pick([26, 38, 54]);
    const opening = random.between(0, 360);
    const span = lane === lit ? random.between(285, 330) : random.between(200, 340);
    const color = lane === lit ? palette.line : lane % 2 ? palette.tone2 : palette.tone;
    radius += width / 2;
    drawing += stroke(arc(center, radius, opening, opening + span), color, width, 'round');
    if (lane === lit) {
      const exits = random.whole(5, 8);
      for (let exit = 0; exit <= exits; exit++) {
        const at = onCircle(center, radius, opening + (span * exit) / exits);
        drawing += dot(at, width * 0.28, exit === 0 ? palette.second : palette.light);
      }
    } else if (random.chance(0.35)) {
      const from = opening + random.between(0, span * 0.6);
      drawing += stroke(arc(center, radius, from, from + random.between(14, 50)), palette.second, width, 'round');
    }
    radius += width / 2 + random.pick([14, 22]);
  }
  return drawing + dot(center, random.between(26, 44), palette.line);
};
