import { expect, test } from 'vitest';
import { viewersOverTime } from './viewers-over-time.ts';

const start = Date.parse('2030-07-12T23:05:00.000Z');
const points = (...counts: (number | null)[]) =>
  counts.flatMap((viewers, minute) =>
    viewers === null ? [] : [{ at: new Date(start + minute * 60_000).toISOString(), viewers }],
  );

test('each minute is a bar, labeled with its time', () => {
  expect(viewersOverTime(points(3, 12))).toEqual([
    { key: '2030-07-12T23:05:00.000Z', name: '7:05 PM', viewers: 3 },
    { key: '2030-07-12T23:06:00.000Z', name: '7:06 PM', viewers: 12 },
  ]);
  expect(viewersOverTime([])).toEqual([]);
});

test('many minutes are merged into spans, and each span has its maximum, so that no peak is lost', () => {
  const counts = Array.from({ length: 720 }, (_, minute) => (minute === 401 ? 9_999 : minute % 7));
  const spans = viewersOverTime(points(...counts));
  expect(spans.length).toBeGreaterThan(20);
  expect(spans.length).toBeLessThanOrEqual(48);
  expect(Math.max(...spans.map(({ viewers }) => viewers!))).toBe(9_999);
});

test('spans without a broadcast have no number, and days in between make no long table', () => {
  expect(viewersOverTime(points(3, null, 0)).map(({ viewers }) => viewers)).toEqual([3, null, 0]);
  const later = { at: new Date(start + 40 * 86_400_000).toISOString(), viewers: 5 };
  const spans = viewersOverTime([...points(3), later]);
  expect(spans.length).toBeLessThanOrEqual(48);
  expect([spans[0]!.viewers, spans[1]!.viewers, spans.at(-1)!.viewers]).toEqual([3, null, 5]);
});
