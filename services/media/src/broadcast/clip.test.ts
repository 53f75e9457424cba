import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LivestreamCategory } from '@beltway/contracts/catalog/livestream';
import { CLIP, clipFile, clipPlaylist } from './clip.ts';

const PACKET = 188;
const since = new Date('2026-12-06T00:00:00.000Z');
const at = (ms: number) => {
  const lines = clipPlaylist(since, new Date(since.getTime() + ms))
    .trim()
    .split('\n');
  const tag = (name: string) => Number(lines.find((line) => line.startsWith(`#${name}:`))?.split(':')[1]);
  let joints = tag('EXT-X-DISCONTINUITY-SEQUENCE');
  // Each segment, with the number of discontinuities before it, as a player counts them.
  const segments = lines.flatMap((line, i) => {
    if (line === '#EXT-X-DISCONTINUITY') joints++;
    return line.endsWith('.ts') ? [{ name: line, joints, length: lines[i - 1] }] : [];
  });
  return { first: tag('EXT-X-MEDIA-SEQUENCE'), segments, lines };
};

test.each(LivestreamCategory.options)(
  'the clip for %s has all its segments, which are small and contain whole packets',
  (clip) => {
    let bytes = 0;
    for (let number = 0; number < CLIP.segments; number++) {
      const file = readFileSync(clipFile(clip, number)!);
      expect(file.length % PACKET).toBe(0);
      for (let i = 0; i < file.length; i += PACKET) expect(file[i]).toBe(0x47);
      // A viewer may start with any segment, so each segment begins with a sequence parameter set and then a key frame.
      const units = [...file.toString('latin1').matchAll(/\x00\x00\x01([^\x00])/g)].map(
        ([, byte]) => byte!.charCodeAt(0) & 0x1f,
      );
      expect(units.indexOf(7)).toBeGreaterThanOrEqual(0);
      expect(units.indexOf(5)).toBeGreaterThan(units.indexOf(7));
      expect(units.indexOf(1)).toBeGreaterThan(units.indexOf(5));
      bytes += file.length;
    }
    expect(bytes).toBeLessThan(300_000);
    expect(clipFile(clip, CLIP.segments)).toBeUndefined();
    expect(existsSync(clipFile(clip, 0)!)).toBe(true);
  },
);

test('a clip plays from its first moment, even if a clock is behind', () => {
  for (const ms of [0, -5_000]) {
    const { first, segments } = at(ms);
    expect(first).toBe(0);
    expect(segments.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5].map((number) => `clip-${number}.ts`));
  }
});

test('for hours, each segment keeps its number, its name and its position among the discontinuities', () => {
  const seen = new Map<number, string>();
  const wrong: string[] = [];
  let last = -1;
  // Samples often across several discontinuities, then rarely over the longest possible live stream.
  const times = [
    ...Array.from({ length: 100 }, (_, i) => i * 700),
    ...Array.from({ length: 700 }, (_, i) => i * 61_007),
  ];
  for (const ms of times.toSorted((a, b) => a - b)) {
    const { first, segments } = at(ms);
    if (first < last || segments.length !== CLIP.segments) wrong.push(`first at ${ms} ms`);
    last = first;
    segments.forEach(({ name, joints }, i) => {
      const number = first + i;
      const said = `${name} ${joints}`;
      const right = `clip-${number % CLIP.segments}.ts ${Math.floor(number / CLIP.segments)}`;
      if (said !== right || (seen.get(number) ?? said) !== said) wrong.push(`segment ${number} at ${ms} ms: ${said}`);
      seen.set(number, said);
    });
  }
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(3_000);
});
