import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rendezvous } from './rendezvous.ts';

const nodes = fc.uniqueArray(
  fc.integer({ min: 1_024, max: 65_535 }).map((port) => `http://127.0.0.1:${port}`),
  { minLength: 2, maxLength: 8 },
);
const keys = Array.from({ length: 4_000 }, (_, id) => id + 1);

test('a key has the same node in any order of the nodes', () => {
  fc.assert(
    fc.property(nodes, fc.nat(), (some, key) => {
      expect(rendezvous([...some].reverse())(key)).toBe(rendezvous(some)(key));
      expect(rendezvous(some)(String(key))).toBe(rendezvous(some)(key));
      expect(some).toContain(rendezvous(some)(key));
    }),
  );
});

test('when a node is removed, only its own keys move', () => {
  fc.assert(
    fc.property(nodes, (some) => {
      const [gone, ...left] = some as [string, ...string[]];
      const before = rendezvous(some);
      const after = rendezvous(left);
      for (const key of keys) if (before(key) !== gone) expect(after(key)).toBe(before(key));
    }),
    { numRuns: 30 },
  );
});

test('each node gets its share of keys, including the keys of a removed node', () => {
  const spread = (some: string[], among: number[]) => {
    const nodeOf = rendezvous(some);
    return some.map((node) => among.filter((key) => nodeOf(key) === node).length / (among.length / some.length));
  };
  fc.assert(
    fc.property(nodes, (some) => {
      const [gone, ...left] = some as [string, ...string[]];
      for (const share of spread(some, keys)) expect(Math.abs(share - 1)).toBeLessThan(0.35);
      const orphans = keys.filter((key) => rendezvous(some)(key) === gone);
      for (const share of spread(left, orphans)) expect(Math.abs(share - 1)).toBeLessThan(0.9);
    }),
    { numRuns: 30 },
  );
});

test('without nodes no key has a node', () => expect(rendezvous([])(1)).toBeUndefined());
