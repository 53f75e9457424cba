import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { eventState, message, startTicketing } from './support.ts';

test('an old message that comes again after a newer one does not bring back what was', async () => {
  const { bus, rows } = await startTicketing();
  const published = message('catalog.event-published', 'event-42', eventState(42, 5, { title: 'First Title' }));
  const updated = message('catalog.event-updated', 'event-42', eventState(42, 9, { title: 'Second Title' }));
  const cancelled = message('catalog.event-cancelled', 'event-42', { eventId: 42, ownerId: 7 });
  // As a relay does that was thought dead and sends its batch once more; the last one shows that all before it are handled.
  await bus.publish('catalog.events', [published, updated, published, cancelled]);
  await eventually(async () => (await rows(`select 1 from listings where status = 'cancelled'`)).length === 1);
  expect(await rows('select title, status from listings')).toEqual([{ title: 'Second Title', status: 'cancelled' }]);
  expect(await rows('select capacity, closed from availability')).toEqual([{ capacity: 9, closed: 'cancelled' }]);
});
