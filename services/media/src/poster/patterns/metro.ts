import type { Pattern } from './pattern.ts';
import { WIDTH, dot, rect, rounded, stroke } from '../shapes.ts';
import type { Point } from '../shapes.ts';

/** A page of the Metro map: lines side by side that turn at 45 degrees together, the event's own line on top with its stations. */
export const metro: Pattern = ({ random, palette }) => {
  const width = random.pick([34, 42]);
  const gap = width + random.pick([8, 12]);
  const count = random.whole(4, 6);
  const own = random.whole(1, count - 2);
  const down = random.chance(0.5);
  const firstTurn = random.between(300, 560);
  const step = random.between(120, 220);
  const secondTurn = firstTurn + step + random.between(120, 240);
  const rise = random.between(90, 170);
  const top = down ? random.between(30, 70) : random.between(190, 260);
  let lines = '';
  let stations = '';
  for (let lane = 0; lane < count; lane++) {
    const y = top + lane * gap;
    // Parallel lines keep their distance in the slant only when each turns a little later.
    const lag = lane * gap * Math.tan(Math.PI / 8) * (down ? -1 : 1);
    const sign = down ? 1 : -1;
    const points: Point[] = [
      [-60, y],
      [firstTurn + lag, y],
      [firstTurn + step + lag, y + sign * step],
      [secondTurn + lag, y + sign * step],
      [secondTurn + rise + lag, y + sign * (step + rise)],
      [WIDTH + 60, y + sign * (step + rise)],
    ];
    const color =
      lane === own ? palette.line : lane === own + 1 ? palette.second : lane % 2 ? palette.tone2 : palette.tone;
    lines += stroke(rounded(points, 60), color, width);
    if (lane !== own) continue;
    for (let x = random.between(60, 120); x < firstTurn - 40; x += 130)
      stations += dot([x, y], width * 0.3, palette.light);
    const middle = (firstTurn + step + secondTurn) / 2 + lag;
    const across = down ? 0 : -gap;
    stations += rect(
      middle - width * 0.42,
      y + sign * step - width * 0.42 + across * 0,
      width * 0.84,
      gap + width * 0.84,
      palette.light,
      width * 0.42,
    );
    for (let x = secondTurn + rise + lag + 110; x < WIDTH; x += 130)
      stations += dot([x, y + sign * (step + rise)], width * 0.3, palette.light);
  }
  return lines + stations;
};
