import type { Pattern } from './pattern.ts';
import { WIDTH, dot, rect, rounded, stroke } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/** A detail of the Metro map: parallel lines that turn at 45 degrees together, the event's own with stations. */
export const metro: Pattern = ({ random, palette, floor }) => {
  const count = floor < 360 ? 3 : random.whole(4, 5);
  const width = Math.min(50, (floor * 0.54) / count - 10);
  const gap = width + 10;
  const own = random.whole(1, count - 2);
  const sign = random.chance(0.5) ? 1 : -1;
  const bundle = (count - 1) * gap + width;
  const room = floor - bundle - 10;
  const rise = room * random.between(0.35, 0.6);
  const climb = room - rise;
  const top = width / 2 + (sign > 0 ? 0 : room);
  const first = random.between(330, 520);
  const second = first + rise + random.between(150, 260);

  let lines = '';
  let stations = '';
  for (let lane = 0; lane < count; lane++) {
    const y = top + lane * gap;
    // To keep their distance in the slant, each of the parallel lines turns a little earlier or later than its
    // neighbor.
    const lag = -sign * lane * gap * Math.tan(Math.PI / 8);
    const middle = y + sign * rise;
    const end = middle + sign * climb;
    const points: Point[] = [
      [-60, y],
      [first + lag, y],
      [first + rise + lag, middle],
      [second + lag, middle],
      [second + climb + lag, end],
      [WIDTH + 60, end],
    ];
    const color =
      lane === own ? palette.line : lane === own + 1 ? palette.second : lane % 2 ? palette.tone2 : palette.tone;
    lines += stroke(rounded(points, 70), color, width);
    if (lane !== own) continue;
    const stop = (at: Point) => dot(at, width * 0.3, palette.light);
    for (let x = first + lag - 70; x > 0; x -= 150) stations += stop([x, y]);
    for (let x = second + climb + lag + 90; x < WIDTH; x += 150) stations += stop([x, end]);
    const change = (first + rise + second) / 2 + lag;
    stations += rect(
      change - width * 0.4,
      middle - width * 0.4,
      width * 0.8,
      gap + width * 0.8,
      palette.light,
      width * 0.4,
    );
  }
  return lines + stations;
};
