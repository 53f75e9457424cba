import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { commandId, database, instance } from './support.ts';

test('what is remembered of all streams together is bounded; the longest unused is read again when it is needed', async () => {
  const { url } = await database();
  const { boxes, store } = instance(url, { maxKnown: 25 });
  await eventually(() => store.peers.alone() !== undefined);
  const wish = { commandId: commandId() };
  for (const stream of [1, 2, 3, 4]) {
    await boxes.handle(stream, { type: 'Fill', size: 9 }, { commandId: commandId() });
    for (let n = 0; n < 9; n++)
      await boxes.handle(
        stream,
        { type: 'Take', who: `w${n}`, count: 1 },
        stream === 1 && n === 0 ? wish : { commandId: commandId() },
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
  await expect(boxes.handle(1, { type: 'Take', who: 'w0', count: 1 }, wish)).resolves.toMatchObject({ repeated: true });
});
