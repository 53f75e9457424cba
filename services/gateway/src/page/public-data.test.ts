import { anEvent } from '@beltway/contracts/testing/events';
import { expect, test } from 'vitest';
import { publicData } from './public-data.ts';

test('the home page begins with what is on now and what comes next, soonest first', async () => {
  // 7 PM and 9 PM in New York.
  const events = [anEvent({ id: 2, eventStartTime: '21:00' }), anEvent({ id: 1, eventStartTime: '19:00' })];
  const answer = { make: async () => ({ body: JSON.stringify(events) }) };
  const data = publicData({ read: async () => answer } as never);
  const idsAt = async (time: string) => (await data.comingUp(new Date(time))).map(({ id }) => id);
  expect(await idsAt('2030-06-01T22:59:59Z')).toEqual([1, 2]);
  // The first event ends three hours after it began.
  expect(await idsAt('2030-06-02T02:00:00Z')).toEqual([2]);
  expect(await idsAt('2030-06-02T04:00:00Z')).toEqual([]);
});

test('concurrent readers of one answer get the same event', async () => {
  const answer = { make: async () => ({ body: JSON.stringify(anEvent({ id: 7 })) }) };
  const data = publicData({ read: async () => answer } as never);
  const [one, other] = await Promise.all([data.event(7), data.event(7)]);
  expect(one).toMatchObject({ id: 7 });
  expect(other).toBe(one);
});
