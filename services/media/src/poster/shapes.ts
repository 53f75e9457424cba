/** Size of the drawing in its own units; smaller sizes use the same drawing. */
export const WIDTH = 1280;
export const HEIGHT = 800;

export type Point = readonly [x: number, y: number];

/** One decimal suffices, and makes the file the same on every machine. */
export const n = (value: number) => String(Math.round(value * 10) / 10);

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${fill}"/>`;

export const dot = ([x, y]: Point, radius: number, fill: string, stroke = 'none', width = 0) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" stroke="${stroke}" stroke-width="${n(width)}"/>`;

export const stroke = (path: string, color: string, width: number, cap: 'butt' | 'round' = 'butt') =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${n(width)}" stroke-linecap="${cap}" stroke-linejoin="round"/>`;

/** Clips a drawing to the part above a height. */
export const above = (y: number, drawing: string) =>
  `<clipPath id="above"><rect width="${WIDTH}" height="${n(y)}"/></clipPath><g clip-path="url(#above)">${drawing}</g>`;

export const polygon = (points: readonly Point[], fill: string) =>
  `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="${fill}"/>`;

/** Degrees, clockwise from the right. */
export function onCircle([x, y]: Point, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

export function arc(center: Point, radius: number, from: number, to: number): string {
  const [x1, y1] = onCircle(center, radius, from);
  const [x2, y2] = onCircle(center, radius, to);
  const large = to - from > 180 ? 1 : 0;
  return `M${n(x1)} ${n(y1)}A${n(radius)} ${n(radius)} 0 ${large} 1 ${n(x2)} ${n(y2)}`;
}

/** A line through points with rounded corners. */
export function rounded(points: readonly Point[], radius: number): string {
  let path = '';
  points.forEach(([x, y], at) => {
    const before = points[at - 1];
    const after = points[at + 1];
    if (!before || !after) {
      path += `${at === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`;
      return;
    }
    const back = towards([x, y], before, radius);
    const on = towards([x, y], after, radius);
    path += `L${n(back[0])} ${n(back[1])}Q${n(x)} ${n(y)} ${n(on[0])} ${n(on[1])}`;
  });
  return path;
}

function towards([x, y]: Point, [tx, ty]: Point, distance: number): Point {
  const length = Math.hypot(tx - x, ty - y) || 1;
  const part = Math.min(distance, length / 2) / length;
  return [x + (tx - x) * part, y + (ty - y) * part];
}
