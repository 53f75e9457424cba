/**
 * Draws the base map as SVG, to inspect it after its inputs changed: `node packages/places/scripts/draw-map.ts 38.9
 * -77.03 12 > map.svg` (latitude, longitude, zoom).
 */
import type { Geometry, Position } from 'geojson';
import { METRO_COLORS } from '../src/data/metro.ts';
import { LABELS } from '../src/map/labels.ts';
import { OUTLINES } from '../src/map/outlines.ts';
import { pixelAt } from './build-labels.ts';

const [WIDTH, HEIGHT] = [1300, 900];
const [lat = 38.9, lon = -77.03, zoom = 11] = process.argv.slice(2).map(Number);
const middle = pixelAt(zoom, { lat, lon });

const pixel = (position: Position) => {
  const { x, y } = pixelAt(zoom, { lon: position[0]!, lat: position[1]! });
  return `${(x - middle.x + WIDTH / 2).toFixed(1)} ${(y - middle.y + HEIGHT / 2).toFixed(1)}`;
};
const line = (points: Position[]) => `M${points.map(pixel).join('L')}`;

function path(geometry: Geometry): string {
  if (geometry.type === 'LineString') return line(geometry.coordinates);
  if (geometry.type === 'MultiLineString') return geometry.coordinates.map(line).join('');
  if (geometry.type === 'Polygon') return geometry.coordinates.map((ring) => `${line(ring)}Z`).join('');
  throw new Error(`Not drawn: ${geometry.type}`);
}

const filled = (geometry: Geometry, color: string) =>
  `<path d="${path(geometry)}" fill="${color}" fill-rule="evenodd"/>`;
const stroked = (geometry: Geometry, color: string, width: number, more = '') =>
  `<path d="${path(geometry)}" fill="none" stroke="${color}" stroke-width="${width}" ${more}/>`;

const ROADS = {
  beltway: { from: 8, color: '#e0a96d', width: 3 },
  interstate: { from: 8, color: '#e8bb86', width: 2.5 },
  highway: { from: 10, color: '#efd6b0', width: 2 },
  avenue: { from: 12, color: '#fff', width: 2.5 },
  street: { from: 14, color: '#fff', width: 1.5 },
} as const;
const NAMES: Record<string, string> = { water: '#4a7a96', park: '#4d7a3f' };
const DASH = 10;

const shapes = [
  ...OUTLINES.parks.features.map(({ geometry }) => filled(geometry, '#d7e8cd')),
  ...OUTLINES.water.features.map(({ geometry }) => filled(geometry, '#b9d6e8')),
  ...(zoom < 11 ? [] : OUTLINES.creeks.features.map(({ geometry }) => stroked(geometry, '#b9d6e8', 1.5))),
  ...OUTLINES.borders.features.map(({ geometry, properties: { border } }) =>
    border === 'state' ? stroked(geometry, '#8b84a0', 1.4, 'stroke-dasharray="6 4"') : stroked(geometry, '#c9c4d4', 1),
  ),
  ...OUTLINES.roads.features.flatMap(({ geometry, properties: { kind } }) => {
    const { from, color, width } = ROADS[kind];
    return zoom < from ? [] : [stroked(geometry, color, zoom < 12 ? width : width * 1.6)];
  }),
  ...OUTLINES.metro.features.flatMap(({ geometry, properties: { lines } }) =>
    lines.map((name, i) => {
      const dashes = `stroke-dasharray="${DASH} ${DASH * (lines.length - 1)}" stroke-dashoffset="${-DASH * i}"`;
      return stroked(geometry, METRO_COLORS[name], zoom < 12 ? 2 : 3, lines.length > 1 ? dashes : '');
    }),
  ),
  ...LABELS.filter((label) => label.zoom <= zoom).map((label) => {
    const [x, y] = pixel([label.lon, label.lat]).split(' ');
    const size = label.kind === 'city' ? 15 : label.kind === 'town' ? 13 : 11;
    const text = label.text.replace(/&/g, '&amp;');
    return `<text x="${x}" y="${y}" font-size="${size}" fill="${NAMES[label.kind] ?? '#444'}">${text}</text>`;
  }),
];

console.log(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<style>text { font-family: sans-serif; text-anchor: middle; stroke: #fff; stroke-width: 3px; paint-order: stroke }</style>
<rect width="100%" height="100%" fill="#f3f0ea"/>
${shapes.join('\n')}
</svg>`);
