import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [day = '', night = ''] = css.split("[data-theme='dark']");

type Color = [lightness: number, chroma: number, hue: number];

function colors(block: string): Record<string, Color> {
  const found = [...block.matchAll(/--color-([a-z-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g)];
  return Object.fromEntries(found.map(([, name, l, c, h]) => [name, [Number(l), Number(c), Number(h)]]));
}

/** Converts OKLCH to relative luminance (WCAG 2), through OKLab and linear sRGB, clipped to the sRGB gamut. */
function luminance([lightness, chroma, hue]: Color): number {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['ground', 'surface', 'sunken', 'raised'];
const lines = ['red', 'orange', 'silver', 'blue', 'yellow', 'green'];
const textPairs: [text: string, ground: string][] = [
  ...['ink', 'ink-soft', 'accent-ink', 'danger-ink'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['ink', 'accent-soft'],
  ['accent-ink', 'accent-soft'],
  ['on-danger', 'danger'],
  ['danger-ink', 'danger-soft'],
  ['success-ink', 'success-soft'],
  ['success-ink', 'surface'],
  ['warning-ink', 'warning-soft'],
  ['warning-ink', 'surface'],
  ['warning-ink', 'ground'],
  ['on-inverse', 'inverse'],
  ...lines.map((line): [string, string] => [`on-metro-${line}`, `metro-${line}`]),
  ...['map-land', 'map-park', 'map-water'].flatMap((ground) =>
    ['map-label', 'ink'].map((text): [string, string] => [text, ground]),
  ),
  ['map-label-water', 'map-water'],
  ['map-label-park', 'map-park'],
];
/** Color pairs of non-text elements: borders of fields, and the focus ring. */
const shapePairs: [shape: string, ground: string][] = ['edge', 'focus'].flatMap((shape) =>
  grounds.map((ground): [string, string] => [shape, ground]),
);

describe.each([
  ['day', colors(day)],
  ['night', { ...colors(day), ...colors(night) }],
])('%s', (_theme, palette) => {
  const pick = (name: string): Color => {
    const color = palette[name];
    if (!color) throw new Error(`no color ${name}`);
    return color;
  };
  test.each(textPairs)('%s text is readable on %s', (text, ground) => {
    expect(contrast(pick(text), pick(ground))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(shapePairs)('%s is visible on %s', (shape, ground) => {
    expect(contrast(pick(shape), pick(ground))).toBeGreaterThanOrEqual(3);
  });
});

test('printed pages are light in every theme', () => {
  expect(css).toContain("@media screen {\n  [data-theme='dark'] {");
  expect(css.split("[data-theme='dark']")).toHaveLength(2);
});
