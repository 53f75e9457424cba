import { expect, test } from 'vitest';
import { openTurns } from './turns.ts';

/** Work that ends when the test ends it. */
function work() {
  let [finish, fail] = [(): void => undefined, (_error: Error): void => undefined];
  const done = new Promise<void>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  const started = { yes: false };
  return {
    started,
    finish: () => finish(),
    fail: (error: Error) => fail(error),
    run: () => ((started.yes = true), done),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work of one key runs in sequence, even after a failure; work of different keys runs concurrently', async () => {
  const turns = openTurns();
  const [first, second, other] = [work(), work(), work()];
  const ends = [turns('a', first.run).catch(() => 'failed'), turns('a', second.run), turns('b', other.run)];
  await settled();
  expect([first, second, other].map(({ started }) => started.yes)).toEqual([true, false, true]);
  first.fail(new Error('broken'));
  await settled();
  expect(second.started.yes).toBe(true);
  second.finish();
  other.finish();
  expect((await Promise.all(ends))[0]).toBe('failed');
});

test('when fifty pieces of work wait, further work is refused with 503 and not queued', async () => {
  const turns = openTurns();
  const busy = Array.from({ length: 51 }, work);
  const ends = busy.map(({ run }) => turns('a', run));
  await expect(turns('a', () => Promise.resolve())).rejects.toMatchObject({ status: 503 });
  for (const { finish } of busy) finish();
  await Promise.all(ends);
  await expect(turns('a', () => Promise.resolve('in'))).resolves.toBe('in');
});
