import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Watching } from '@beltway/contracts/realtime';
import { presence, type Presence } from './presence.ts';

let announced: Watching[];
/** Pages at other instances. */
let elsewhere: Record<number, number>;
let counted: number;
let looking: Presence;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  [announced, elsewhere, counted] = [[], {}, 0];
  looking = presence({
    count: async (own) => {
      counted++;
      return new Map([...own].map(([eventId, pages]) => [eventId, pages + (elsewhere[eventId] ?? 0)]));
    },
    tell: (watching) => void announced.push(watching),
    everyMs: 1_000,
  });
});
afterEach(() => {
  looking.stop();
  vi.useRealTimers();
});
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

test('the first page is counted at once, and answered', async () => {
  const answers: number[] = [];
  looking.come(7, (watching) => void answers.push(watching));
  await seconds(0);
  expect(answers).toEqual([1]);
  expect(announced).toEqual([{ eventId: 7, watching: 1 }]);
});

test('a thousand that come in one second are two counts and two messages, and each is answered', async () => {
  const answers: number[] = [];
  for (let page = 0; page < 1_000; page++) looking.come(7, (watching) => void answers.push(watching));
  await seconds(1);
  expect(counted).toBe(2);
  expect(announced.map(({ watching }) => watching)).toEqual([1, 1_000]);
  expect(answers).toEqual([1, ...Array<number>(999).fill(1_000)]);
});

test('tells what changed elsewhere, and nothing while nothing changes', async () => {
  looking.come(7);
  await seconds(5);
  elsewhere[7] = 4;
  await seconds(5);
  expect(announced.map(({ watching }) => watching)).toEqual([1, 5]);
});

test('a page that goes counts no more; an event without pages here is told to nobody, and is told anew later', async () => {
  looking.come(7);
  looking.come(7);
  looking.come(8);
  await seconds(1);
  looking.go(7);
  looking.go(8);
  await seconds(2);
  elsewhere[8] = 3;
  await seconds(2);
  expect(announced.map(({ eventId, watching }) => [eventId, watching])).toEqual([
    [7, 1],
    [7, 2],
    [8, 1],
    [7, 1],
  ]);
  looking.come(8);
  await seconds(2);
  expect(announced.at(-1)).toEqual({ eventId: 8, watching: 4 });
});

test('counts once more after the last page has left, and then rests', async () => {
  looking.come(7);
  await seconds(0);
  looking.go(7);
  await seconds(60);
  expect(counted).toBe(2);
  looking.come(7);
  await seconds(0);
  expect(counted).toBe(3);
});

test('says nothing once stopped', async () => {
  looking.come(7);
  looking.stop();
  await seconds(5);
  expect(announced).toEqual([]);
});
