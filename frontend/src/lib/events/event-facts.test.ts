import { describe, expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { happeningNow, soonestFirst } from './event-facts.ts';

const on = (id: number, day: string, eventStartTime = '19:00', changes = {}) =>
  eventFixture({ id, eventDate: `${day}T04:00:00.000Z`, eventStartTime, eventEndTime: null, ...changes });
const ids = (events: { id: number }[]) => events.map(({ id }) => id);

test('soonest first, earlier hours first, days that are over last and latest first', () => {
  // 2 PM in New York.
  const now = new Date('2030-07-12T18:00:00Z');
  const events = [
    on(1, '2030-07-10'),
    on(2, '2030-07-14'),
    on(3, '2030-07-12', '21:00'),
    on(4, '2030-07-12', '09:00'),
    on(5, '2030-07-11', '20:00'),
    on(6, '2030-07-11', '10:00'),
  ];
  expect(ids(soonestFirst(events, now))).toEqual([4, 3, 2, 6, 5, 1]);
});

describe('happening now', () => {
  const now = new Date('2030-07-12T23:00:00Z'); // 7 PM in New York
  const tonight = (id: number, start: string, changes = {}) => on(id, '2030-07-12', start, changes);
  test.each([
    ['what began and has not ended', tonight(1, '17:30'), true],
    ['what begins within three hours', tonight(1, '22:00'), true],
    ['not what begins a minute later', tonight(1, '22:01'), false],
    ['not what has ended', tonight(1, '15:00'), false],
    ['what began yesterday and goes on', on(1, '2030-07-11', '20:00', { eventEndTime: '19:30' }), true],
    ['not what was canceled', tonight(1, '19:30', { status: 'canceled' }), false],
  ])('is %s', (_name, event, isShown) => expect(happeningNow([event], now)).toHaveLength(isShown ? 1 : 0));

  test('premium promotions come first, each part by its start', () => {
    const events = [
      tonight(1, '19:30'),
      tonight(2, '18:30'),
      tonight(3, '21:00', { promotionLevel: 'premium' }),
      tonight(4, '20:00', { promotionLevel: 'livestream' }),
      tonight(5, '18:00', { promotionLevel: 'featured' }),
    ];
    expect(ids(happeningNow(events, now))).toEqual([4, 3, 5, 2, 1]);
  });
});
