import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Bus, Delivery } from '@beltway/kit/bus';
import { letterIndex, readLetterIndex } from './letter-index.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
const message = (type: string, id: string, second: number, data: object) => ({
  ...{ id, type, version: 1, key: 'sale-1', occurredAt: at(second), correlationId: 'x', causationId: 'x', data },
});
const letter = (group: string, second: number, id: string = randomUUID()) =>
  message('kit.dead-letter', id, second, {
    ...{ group, type: 'x.y', messageId: 'm', attempts: 5, topic: 't', partition: 0, offset: '1', at: at(second) },
    error: { name: 'Error', message: 'a bug', stack: [] },
    original: 'x'.repeat(100),
  });
const mark = (is: string, letterId: string, second: number) =>
  message(`kit.dead-letter-${is}`, randomUUID(), second, { letterId });

function busOf(topics: Record<string, unknown[]>) {
  let reads = 0;
  const bus = {
    topics: async () => Object.keys(topics),
    replay: async (topic: string, handle: (batch: Delivery[]) => Promise<void>) => {
      reads++;
      await handle((topics[topic] ?? []).map((one) => ({ topic, partition: 0, offset: 0n, message: one })));
    },
  } as unknown as Bus;
  return { bus, reads: () => reads };
}

test('a duplicate letter is listed once, its first outcome counts, and invalid entries are skipped', async () => {
  const one = letter('a.b', 1);
  const { bus } = busOf({
    'a.b.dead-letters': [
      one,
      one,
      'no json',
      mark('replayed', one.id, 5),
      mark('discarded', one.id, 6),
      letter('a.b', 2),
    ],
    'a.events': [letter('never', 9)],
  });
  const { items } = await readLetterIndex(bus);
  expect(items.map(({ state, settledAt }) => [state, settledAt])).toEqual([
    ['waiting', null],
    ['replayed', at(5)],
  ]);
});

test('a very large group keeps only its newest waiting letters, and other groups are complete', async () => {
  const letters = Array.from({ length: 5_000 }, (_, second) => letter('a.b', second));
  const settled = letters.slice(4_000, 4_900).map(({ id }) => mark('discarded', id, 6_000));
  const { bus } = busOf({ 'a.b.dead-letters': [...letters, ...settled], 'c.d.dead-letters': [letter('c.d', 0)] });
  const { items, cut } = await readLetterIndex(bus, 200);
  const kept = items.filter(({ group }) => group === 'a.b');
  expect(kept).toHaveLength(200);
  expect(kept.filter(({ state }) => state === 'waiting').length).toBeGreaterThanOrEqual(100);
  expect(kept[0]!.at).toBe(at(4_999));
  expect([...cut]).toEqual(['a.b']);
  expect(items.filter(({ group }) => group === 'c.d')).toHaveLength(1);
});

test('concurrent readers share one read; a failed read is retried', async () => {
  const { bus, reads } = busOf({ 'a.b.dead-letters': [letter('a.b', 1)] });
  const index = letterIndex(bus);
  await Promise.all(Array.from({ length: 20 }, () => index.read()));
  await index.read();
  expect(reads()).toBe(1);
  index.forget();
  await index.read();
  expect(reads()).toBe(2);
  const replay = bus.replay;
  bus.replay = () => Promise.reject(new Error('away'));
  index.forget();
  await expect(index.read()).rejects.toThrow('away');
  bus.replay = replay;
  expect((await index.read()).items).toHaveLength(1);
});
