import { expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { alternativesTo } from './alternatives.ts';

const now = new Date('2030-07-10T16:00:00.000Z');
const gone = eventFixture({ id: 1, soldTickets: 100, ticketPrice: '25.00', tags: ['#liveMusic'] });
const other = (id: number, change: Parameters<typeof eventFixture>[0] = {}) =>
  eventFixture({ ...gone, id, soldTickets: 0, ...change });
const idsOf = (...events: Parameters<typeof alternativesTo>[1]) =>
  alternativesTo(gone, events, now).map(({ id }) => id);

test('only events whose tickets can be bought now are alternatives', () =>
  expect(
    idsOf(
      gone,
      other(2, { soldTickets: 100 }),
      other(3, { hasTickets: false, ticketPrice: null }),
      other(4, { ticketSalesStartTime: '2030-07-11T00:00:00.000Z' }),
      other(5, { status: 'canceled' }),
      other(6, { soldTickets: 99, heldTickets: 1 }),
      other(7),
    ),
  ).toEqual([7]));

test('an event on the same evening comes first, and a similar price before a different price', () =>
  expect(
    idsOf(
      other(2, { eventDate: '2030-07-19T04:00:00.000Z' }),
      other(3, { ticketPrice: '125.00' }),
      other(4, { ticketPrice: '28.00' }),
      other(5, { eventStartTime: '20:00' }),
    ),
  ).toEqual([5, 4, 2, 3]));

test('with the same time and price, an event of the same category comes first', () =>
  expect(idsOf(other(2, { tags: ['#yoga'] }), other(3))).toEqual([3, 2]));

test('instead of an event that is over, the soonest events are offered first', () => {
  const over = eventFixture({ ...gone, eventDate: '2030-07-01T04:00:00.000Z' });
  const events = [other(2, { eventDate: '2030-07-20T04:00:00.000Z' }), other(3)];
  expect(alternativesTo(over, events, now).map(({ id }) => id)).toEqual([3, 2]);
});
