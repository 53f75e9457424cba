import { expect, test } from 'vitest';
import { draw, weights, type Candidate } from './rotation.ts';

const NOW = new Date('2026-12-01T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 3_600_000);
const numbered = (id: string, left: number, days: number): Candidate => ({ id, left, endsAt: inDays(days) });
const unlimited = (id: string, days = 30): Candidate => ({ id, left: null, endsAt: inDays(days) });

/** A random generator with a seed (Lehmer, modulus 2^31 - 1). It returns the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The share of page views in which each candidate is drawn first. */
function shares(candidates: Candidate[], perDay: number, views = 20_000): Record<string, number> {
  const random = randomFrom(7);
  const counts: Record<string, number> = {};
  for (let view = 0; view < views; view++) {
    const [first] = draw(candidates, { perDay, now: NOW, count: 1, random });
    counts[first!.id] = (counts[first!.id] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([id, count]) => [id, count / views]));
}

test('ads with a bought number are shown in proportion to their remaining impressions per remaining time', () => {
  expect(weights([numbered('a', 7_000, 7), numbered('b', 1_000, 2)], 0, NOW)).toEqual([1_000, 500]);
  const found = shares([numbered('a', 7_000, 7), numbered('b', 1_000, 2)], 100);
  expect(found['a']).toBeCloseTo(2 / 3, 1);
});

test('ads without a bought number share the remaining impressions of the slot', () => {
  const three = [numbered('a', 7_000, 7), unlimited('b'), unlimited('c')];
  expect(weights(three, 5_000, NOW)).toEqual([1_000, 2_000, 2_000]);
  const found = shares(three, 5_000);
  expect(found['a']).toBeCloseTo(0.2, 1);
  expect(found['b']).toBeCloseTo(0.4, 1);
  expect(found['c']).toBeCloseTo(0.4, 1);
});

test('in a slot with too few impressions, ads without a bought number are still shown', () => {
  const found = shares([numbered('a', 70_000, 7), unlimited('b')], 100);
  expect(found['b']).toBeGreaterThan(0.15);
  expect(found['a']).toBeGreaterThan(0.6);
});

test('before there are counts, all ads without a bought number are shown equally often', () => {
  const found = shares([unlimited('a'), unlimited('b', 1), unlimited('c')], 0);
  for (const id of ['a', 'b', 'c']) expect(found[id]).toBeCloseTo(1 / 3, 1);
});

test('an ad in its last second does not displace the others', () => {
  expect(weights([numbered('a', 100, 0), numbered('b', 100, 1)], 0, NOW)).toEqual([2_400, 100]);
});

test('draws each ad at most once', () => {
  const random = randomFrom(3);
  const of = (count: number) =>
    draw([unlimited('a'), numbered('b', 5, 1), unlimited('c')], { perDay: 9, now: NOW, count, random }).map(
      ({ id }) => id,
    );
  expect(of(5).sort()).toEqual(['a', 'b', 'c']);
  expect(new Set(of(2)).size).toBe(2);
  expect(draw([], { perDay: 9, now: NOW, count: 2, random })).toEqual([]);
});

test('always draws an ad, even if rounding leaves no weight', () => {
  expect(draw([unlimited('a')], { perDay: 0, now: NOW, count: 1, random: () => 1 - 2 ** -53 })).toHaveLength(1);
});
