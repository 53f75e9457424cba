import { expect, test } from 'vitest';
import { commandId, database, instance } from './support.ts';

const id = () => ({ commandId: commandId() });
const many = Array.from({ length: 50 }, (_, n) => n);

test('concurrent appends of many streams share their commits', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url, { sharedCommits: true });
  await Promise.all(many.map((n) => boxes.handle(n, { type: 'Fill', size: 5 }, id())));
  const taken = await Promise.all(many.map((n) => boxes.handle(n, { type: 'Take', who: 'ann', count: 1 }, id())));
  expect(taken.every(({ version }) => version === 2)).toBe(true);
  expect(await rows('select count(*)::int as events, count(distinct stream)::int as streams from events')).toEqual([
    { events: 100, streams: 50 },
  ]);
  expect(await rows('select count(*)::int as takings from takings')).toEqual([{ takings: 50 }]);
  expect(await rows('select count(*)::int as boxes, sum(taken)::int as taken from totals')).toEqual([
    { boxes: 50, taken: 50 },
  ]);
  const [{ commits } = {}] = await rows(`select count(distinct tx)::int as commits from events where type = 'Taken'`);
  expect(commits).toBeLessThanOrEqual(2);
});

test('a failed append fails alone; the other appends of its shared commit succeed', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url, { sharedCommits: true });
  await Promise.all(many.map((n) => boxes.handle(n, { type: 'Fill', size: 5 }, id())));
  const takings = await Promise.allSettled(
    many.map((n) => boxes.handle(n, { type: 'Take', who: n === 20 ? 'forbidden' : 'ann', count: 1 }, id())),
  );
  expect(takings.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([20]);
  expect(await rows('select count(*)::int as takings from takings')).toEqual([{ takings: 49 }]);
  // The cached state does not contain the failed event.
  expect(await boxes.handle(20, { type: 'Take', who: 'ann', count: 5 }, id())).toMatchObject({ version: 2 });
});

test('two instances that write the same streams decide each command once without deadlock', async () => {
  const { url, rows } = await database();
  const [one, other] = [instance(url, { sharedCommits: true }), instance(url, { sharedCommits: true })];
  await Promise.all(many.map((n) => one.boxes.handle(n, { type: 'Fill', size: 4 }, id())));
  const commands = many.flatMap((n) => ['a', 'b', 'c', 'd'].map((who) => ({ n, who })));
  await Promise.all(
    commands.flatMap(({ n, who }) => {
      const same = id();
      return [one, other].map(({ boxes }) => boxes.handle(n, { type: 'Take', who, count: 1 }, same));
    }),
  );
  expect(
    await rows('select count(*)::int as takings, count(distinct (stream, who))::int as different from takings'),
  ).toEqual([{ takings: 200, different: 200 }]);
});
