import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { commandId, database, instance } from './support.ts';

test('the memory of cached states is bounded; the least recently used stream is reloaded when needed', async () => {
  const { url } = await database();
  const { boxes, store } = instance(url, { maxCommandIds: 25 });
  await eventually(() => store.soleWriter.epoch() !== undefined);
  const context = { commandId: commandId() };
  for (const stream of [1, 2, 3, 4]) {
    await boxes.handle(stream, { type: 'Fill', size: 9 }, { commandId: commandId() });
    for (let n = 0; n < 9; n++)
      await boxes.handle(
        stream,
        { type: 'Take', who: `w${n}`, count: 1 },
        stream === 1 && n === 0 ? context : { commandId: commandId() },
      );
  }
  let asked = 0;
  const query = store.pool.query.bind(store.pool) as (...args: unknown[]) => unknown;
  store.pool.query = ((...args: unknown[]) => (asked++, query(...args))) as typeof store.pool.query;
  const refused = (stream: number) =>
    boxes.handle(stream, { type: 'Take', who: 'late', count: 1 }, { commandId: commandId() });
  await expect(refused(4)).rejects.toMatchObject({ code: 'empty' });
  expect(asked).toBe(0);
  await expect(refused(1)).rejects.toMatchObject({ code: 'empty' });
  expect(asked).toBeGreaterThan(0);
  await expect(boxes.handle(1, { type: 'Take', who: 'w0', count: 1 }, context)).resolves.toMatchObject({
    repeated: true,
  });
});

test('a stream with more commands than the cache may hold stays cached while it is used', async () => {
  const { url } = await database();
  const { boxes, store } = instance(url, { maxCommandIds: 5 });
  await eventually(() => store.soleWriter.epoch() !== undefined);
  const take = (who: string) => boxes.handle(1, { type: 'Take', who, count: 1 }, { commandId: commandId() });
  await boxes.handle(1, { type: 'Fill', size: 9 }, { commandId: commandId() });
  for (let n = 0; n < 9; n++) await take(`w${n}`);
  let asked = 0;
  const query = store.pool.query.bind(store.pool) as (...args: unknown[]) => unknown;
  store.pool.query = ((...args: unknown[]) => (asked++, query(...args))) as typeof store.pool.query;
  await expect(take('late')).rejects.toMatchObject({ code: 'empty' });
  await expect(take('later')).rejects.toMatchObject({ code: 'empty' });
  expect(asked).toBe(0);
});

test('a stream that the caller declares new is not read first', async () => {
  const { url } = await database();
  const { boxes, store } = instance(url);
  let asked = 0;
  const query = store.pool.query.bind(store.pool) as (...args: unknown[]) => unknown;
  store.pool.query = ((...args: unknown[]) => (asked++, query(...args))) as typeof store.pool.query;
  const begun = await boxes.handle(1, { type: 'Fill', size: 9 }, { commandId: commandId(), begins: true });
  expect([begun.version, asked]).toEqual([1, 0]);
});

test.each([false, true])(
  'a stream wrongly declared new is decided on its events (shared commits: %s)',
  async (sharedCommits) => {
    const { url } = await database();
    const [one, other] = [instance(url, { sharedCommits }), instance(url, { sharedCommits })];
    const first = { commandId: commandId() };
    for (const stream of [1, 2, 3])
      await one.boxes.handle(stream, { type: 'Fill', size: 1 }, stream === 1 ? first : { commandId: commandId() });
    const begins = () => ({ commandId: commandId(), begins: true });
    const again = await other.boxes.handle(1, { type: 'Fill', size: 1 }, { ...first, begins: true });
    expect(again).toMatchObject({ repeated: true, version: 1 });
    expect(await other.boxes.handle(2, { type: 'Fill', size: 1 }, begins())).toMatchObject({ version: 2 });
    // An empty box would reject this command. A rejection appends nothing, so no append would detect the mistake.
    expect(await other.boxes.handle(3, { type: 'Take', who: 'ann', count: 1 }, begins())).toMatchObject({ version: 2 });
  },
);

test('a stream written by this process is not treated as new, even after its cached state was evicted', async () => {
  const { url } = await database();
  const { boxes, store } = instance(url);
  await eventually(() => store.soleWriter.epoch() !== undefined);
  const take = (who: string) => ({ type: 'Take', who, count: 1 }) as const;
  await boxes.handle(1, { type: 'Fill', size: 1 }, { commandId: commandId() });
  await expect(boxes.handle(1, take('forbidden'), { commandId: commandId() })).rejects.toThrow();
  expect(await boxes.handle(1, take('ann'), { commandId: commandId(), begins: true })).toMatchObject({ version: 2 });
});
