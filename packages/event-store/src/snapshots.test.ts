import { expect, test } from 'vitest';
import { snapshotDue } from './snapshots.ts';

const options = { shape: 1, write: (state: object) => state, read: (json: unknown) => json as object };
const loaded = (events: number, secondsAgo: number, snapshotCostMs = 0) => ({
  state: {},
  version: 10_000 + events,
  snapshotVersion: 10_000,
  snapshotAt: Date.now() - secondsAgo * 1_000,
  snapshotCostMs,
  known: new Set<string>(),
});

test('a snapshot is due after a thousand events and two seconds', () => {
  expect(snapshotDue(loaded(999, 60), options)).toBe(false);
  expect(snapshotDue(loaded(1_000, 1), options)).toBe(false);
  expect(snapshotDue(loaded(1_000, 60), options)).toBe(true);
});

test('one that took long is followed by a rest of four hundred times as long', () => {
  expect(snapshotDue(loaded(1_000, 30, 100), options)).toBe(false);
  expect(snapshotDue(loaded(1_000, 60, 100), options)).toBe(true);
});
