import type { Pattern } from './pattern.ts';
import { HEIGHT, WIDTH, dot, n, onCircle, stroke } from '../shapes.ts';
import type { Point } from '../shapes.ts';

type Flower = { at: Point; radius: number };

/** Cherry blossoms over the basin: a few large flowers above, and paler ones in the background. */
export const blossom: Pattern = ({ random, palette, floor }) => {
  const placed: Flower[] = [];
  const free = ({ at, radius }: Flower, gap: number) =>
    placed.every((other) => Math.hypot(other.at[0] - at[0], other.at[1] - at[1]) > other.radius + radius + gap);
  let drawing = '';

  const loudest = Math.min(170, floor * 0.36);
  for (let tries = 0; tries < 80 && placed.length < 4; tries++) {
    const radius = loudest * random.between(0.72, 1);
    const bloom: Flower = { at: [random.between(430, WIDTH + 20), random.between(0, floor - radius)], radius };
    if (!free(bloom, 6)) continue;
    placed.push(bloom);
    drawing += flower(
      bloom,
      random.between(0, 72),
      placed.length % 3 === 2 ? palette.second : palette.line,
      palette.ground,
    );
  }
  for (let tries = 0; tries < 400 && placed.length < 46; tries++) {
    const radius = tries < 120 ? random.between(70, 130) : random.between(24, 60);
    const bloom: Flower = { at: [random.between(-40, WIDTH + 40), random.between(-40, HEIGHT + 40)], radius };
    if (!free(bloom, 0)) continue;
    placed.push(bloom);
    const above = bloom.at[1] + radius < floor;
    drawing += flower(
      bloom,
      random.between(0, 72),
      above && random.chance(0.5) ? palette.tone2 : palette.tone,
      palette.ground,
    );
  }
  return drawing;
};

/** Five notched petals and the stamens. */
function flower({ at, radius: r }: Flower, turn: number, petals: string, inner: string): string {
  const petal =
    `M0 ${n(-r * 0.1)}C${n(-r * 0.34)} ${n(-r * 0.28)} ${n(-r * 0.52)} ${n(-r * 0.78)} ${n(-r * 0.17)} ${n(-r)}L0 ${n(-r * 0.84)}` +
    `L${n(r * 0.17)} ${n(-r)}C${n(r * 0.52)} ${n(-r * 0.78)} ${n(r * 0.34)} ${n(-r * 0.28)} 0 ${n(-r * 0.1)}Z`;
  const around = [0, 72, 144, 216, 288]
    .map((degrees) => `<path d="${petal}" transform="rotate(${degrees})"/>`)
    .join('');
  let stamens = '';
  for (let stamen = 0; stamen < 10; stamen++) {
    const degrees = turn + 18 + stamen * 36;
    const tip = onCircle(at, r * (stamen % 2 ? 0.42 : 0.32), degrees);
    stamens +=
      stroke(`M${n(at[0])} ${n(at[1])}L${n(tip[0])} ${n(tip[1])}`, inner, r * 0.028) + dot(tip, r * 0.045, inner);
  }
  return (
    `<g transform="translate(${n(at[0])} ${n(at[1])}) rotate(${n(turn)})" fill="${petals}">${around}</g>` +
    dot(at, r * 0.1, inner) +
    stamens
  );
}
