import { expect, test } from 'vitest';
import { snapshotDue } from './cached-state.ts';

const options = { shape: 1, write: (state: object) => state, read: (json: unknown) => json as object };
const cached = (events: number, secondsAgo: number, snapshotCostMs = 0) => ({
  state: {},
  version: 10_000 + events,
  snapshotVersion: 10_000,
  snapshotAt: Date.now() - secondsAgo * 1_000,
  snapshotCostMs,
  commandIds: new Set<string>(),
});

test('a snapshot is due after a thousand events and two seconds', () => {
  expect(snapshotDue(cached(999, 60), options)).toBe(false);
  expect(snapshotDue(cached(1_000, 1), options)).toBe(false);
  expect(snapshotDue(cached(1_000, 60), options)).toBe(true);
});

test('a snapshot that took long is followed by a pause four hundred times as long', () => {
  expect(snapshotDue(cached(1_000, 30, 100), options)).toBe(false);
  expect(snapshotDue(cached(1_000, 60, 100), options)).toBe(true);
});
