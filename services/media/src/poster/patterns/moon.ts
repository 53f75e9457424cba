import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, polygon, rect } from '../shapes.ts';

/** The moon over the Potomac: the obelisk before it, its light broken on the water. */
export const moon: Pattern = ({ random, palette }) => {
  const x = random.between(780, 1020);
  const horizon = random.between(380, 440);
  const radius = random.between(190, 260);
  const y = horizon - random.between(60, 140);
  let drawing =
    dot([x, y], radius + 90, palette.tone) +
    dot([x, y], radius + 44, palette.tone2) +
    dot([x, y], radius, palette.line);

  const obelisk = x + random.between(-120, 120);
  const height = random.between(210, 270);
  const foot = 17;
  const neck = 10;
  drawing += polygon(
    [
      [obelisk - foot, horizon],
      [obelisk - neck, horizon - height],
      [obelisk, horizon - height - 22],
      [obelisk + neck, horizon - height],
      [obelisk + foot, horizon],
    ],
    palette.ground,
  );
  // The low roofs of a city that builds nothing above its monument.
  for (let roof = -20; roof < WIDTH;) {
    const width = random.between(30, 90);
    const tall = random.between(8, 46);
    drawing += rect(roof, horizon - tall, width + 1, tall + 1, palette.ground);
    roof += width;
  }
  drawing += rect(0, horizon, WIDTH, HEIGHT - horizon, palette.ground);
  for (let row = 0; row < 13; row++) {
    const at = horizon + 16 + row * 30;
    const reach = radius * (1.05 - row * 0.045) * random.between(0.55, 1.05);
    const shift = random.between(-34, 34);
    drawing += rect(x + shift - reach, at, reach * 2, 12, row % 4 === 3 ? palette.second : palette.line, 6);
    if (random.chance(0.8))
      drawing += rect(random.between(-80, WIDTH), at + 15, random.between(80, 320), 6, palette.tone2, 3);
  }
  return drawing;
};
