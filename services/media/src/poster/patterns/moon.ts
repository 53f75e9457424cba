import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, n, polygon, rect } from '../shapes.ts';

/** The moon over the Potomac: an obelisk or a dome in front, its light broken on the water. */
export const moon: Pattern = ({ random, palette, floor }) => {
  const x = random.between(720, 1040);
  const rows = Math.max(2, Math.round((floor - 240) / 60));
  const horizon = floor - 14 - rows * 26;
  const radius = horizon * random.between(0.58, 0.72);
  const y = horizon - radius * random.between(0.2, 0.5);
  const halo = radius * 0.24;
  let drawing =
    dot([x, y], radius + 2 * halo, palette.tone) +
    dot([x, y], radius + halo, palette.tone2) +
    dot([x, y], radius, palette.line);

  // The low roofs of a city where nothing is taller than its monument.
  for (let roof = -20; roof < WIDTH;) {
    const width = random.between(26, 90);
    const tall = random.between(8, 44);
    drawing += rect(roof, horizon - tall, width + 1, tall + 1, palette.ground);
    if (random.chance(0.5))
      drawing += rect(roof + width * 0.4, horizon - tall + 8, 6, 8, random.chance(0.3) ? palette.light : palette.tone2);
    roof += width;
  }
  const at = x + random.between(-0.5, 0.5) * radius;
  drawing += random.chance(0.6)
    ? obelisk(at, horizon, horizon * 0.62, palette.ground)
    : dome(at, horizon, horizon * 0.5, palette.ground);

  drawing += rect(0, horizon, WIDTH, HEIGHT - horizon, palette.ground);
  for (let row = 0; row < rows; row++) {
    const top = horizon + 14 + row * 26;
    const reach = radius * (1 - (0.5 * row) / rows) * random.between(0.5, 1);
    const shift = random.between(-30, 30);
    drawing += rect(x + shift - reach, top, reach * 2, 11, row % 3 === 2 ? palette.second : palette.line, 5.5);
    for (let glint = 0; glint < 2; glint++)
      drawing += rect(random.between(-80, WIDTH), top + 13, random.between(60, 240), 5, palette.tone2, 2.5);
  }
  return drawing;
};

function obelisk(x: number, foot: number, height: number, color: string): string {
  const half = height * 0.062;
  const neck = half * 0.62;
  const shoulder = foot - height * 0.93;
  return polygon(
    [
      [x - half, foot + 1],
      [x - neck, shoulder],
      [x, foot - height],
      [x + neck, shoulder],
      [x + half, foot + 1],
    ],
    color,
  );
}

function dome(x: number, foot: number, height: number, color: string): string {
  const half = height * 0.3;
  const drum = foot - height * 0.42;
  const wings = rect(x - half * 3, foot - height * 0.2, half * 6, height * 0.2 + 1, color);
  const columns = rect(x - half * 1.1, drum, half * 2.2, height * 0.42 + 1, color);
  const cap = `<path d="M${n(x - half)} ${n(drum)}A${n(half)} ${n(half * 1.15)} 0 0 1 ${n(x + half)} ${n(drum)}Z" fill="${color}"/>`;
  const lantern = rect(x - half * 0.16, drum - half * 1.5, half * 0.32, half * 0.5, color);
  return wings + columns + cap + lantern + rect(x - 2, drum - half * 1.9, 4, half * 0.5, color);
}
