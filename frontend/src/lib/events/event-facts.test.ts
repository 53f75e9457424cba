import { describe, expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { happeningNow, isOver, soonestFirst } from './event-facts.ts';

const on = (id: number, day: string, eventStartTime = '19:00', changes = {}) =>
  eventFixture({ id, eventDate: `${day}T04:00:00.000Z`, eventStartTime, eventEndTime: null, ...changes });
const ids = (events: { id: number }[]) => events.map(({ id }) => id);

test('events are sorted soonest first, then past events with the latest day first', () => {
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

  test('premium promotions come first, and each group is sorted by start', () => {
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

describe('an event of several days', () => {
  const festival = on(9, '2030-07-11', '10:00', { eventLastDate: '2030-07-13T04:00:00.000Z', eventEndTime: '22:00' });
  test('is sorted among the events of today until its last day', () => {
    const events = [on(1, '2030-07-10'), on(2, '2030-07-12', '09:00'), on(3, '2030-07-12', '21:00'), festival];
    expect(ids(soonestFirst(events, new Date('2030-07-12T18:00:00Z')))).toEqual([2, 9, 3, 1]);
    expect(ids(soonestFirst(events, new Date('2030-07-14T18:00:00Z')))).toEqual([9, 2, 3, 1]);
  });
  test('is happening now until its end on the last day, and leaves the lists at 6 AM the next morning', () => {
    const isOn = (now: string) => happeningNow([festival], new Date(now)).length === 1;
    expect(['2030-07-12T03:00:00Z', '2030-07-14T01:59:00Z', '2030-07-14T02:00:00Z'].map(isOn)).toEqual([
      true,
      true,
      false,
    ]);
    expect(isOver(festival, new Date('2030-07-14T09:59:00Z'))).toBe(false);
    expect(isOver(festival, new Date('2030-07-14T10:00:00Z'))).toBe(true);
  });
});
