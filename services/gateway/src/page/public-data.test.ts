import { anEvent } from '@beltway/contracts/testing/events';
import { expect, test } from 'vitest';
import { publicData } from './public-data.ts';

test('the home page begins with the soonest event that has not begun', async () => {
  // 7 PM and 9 PM in New York.
  const events = [anEvent({ id: 2, eventStartTime: '21:00' }), anEvent({ id: 1, eventStartTime: '19:00' })];
  const answer = { make: async () => ({ body: JSON.stringify(events) }) };
  const data = publicData({ read: async () => answer } as never);
  const nextAt = async (time: string) => (await data.nextUp(new Date(time)))?.id;
  expect(await nextAt('2030-06-01T22:59:59Z')).toBe(1);
  expect(await nextAt('2030-06-01T23:00:00Z')).toBe(2);
  expect(await nextAt('2030-06-02T01:00:00Z')).toBeUndefined();
});
