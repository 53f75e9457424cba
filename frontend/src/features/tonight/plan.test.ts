import { findPlace } from '@beltway/places/find';
import { expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { journeyText } from '../../lib/journey/journey-text.ts';
import { tonightNear } from './plan.ts';

/** 7 PM in New York. */
const NOW = new Date('2030-07-12T23:00:00Z');
const spot = (name: string) => {
  const { id, name: known, lat, lon, state } = findPlace(name)!.place;
  return { id, name: known, lat, lon, state, isApproximate: false };
};
const here = spot('Dupont Circle');
const event = (id: number, eventStartTime: string, place = here, more = {}) =>
  eventFixture({ id, eventStartTime, eventEndTime: null, place, ...more });
const ids = (events: ReturnType<typeof event>[]) => tonightNear(events, here, NOW).map((one) => one.event.id);

test('shows events that start within three hours, to the minute', () => {
  expect(ids([event(1, '19:00'), event(2, '19:01'), event(3, '22:00'), event(4, '22:01')])).toEqual([2, 3]);
});

test('an event after midnight belongs to the night before only if its date is the next day', () => {
  const late = new Date('2030-07-13T03:30:00Z');
  const next = event(1, '00:30', here, { eventDate: '2030-07-13T04:00:00.000Z' });
  expect(tonightNear([next], here, late)).toHaveLength(1);
  expect(tonightNear([event(2, '00:30')], here, late)).toEqual([]);
});

test('an event of several days begins again on each day until its last day', () => {
  const festival = event(1, '20:00', here, {
    eventDate: '2030-07-11T04:00:00.000Z',
    eventLastDate: '2030-07-12T04:00:00.000Z',
  });
  expect(ids([festival])).toEqual([1]);
  expect(tonightNear([festival], here, new Date(NOW.getTime() + 24 * 3_600_000))).toEqual([]);
});

test('leaves out events that are canceled, have no precise position, or are too far away without Metro', () => {
  expect(
    ids([
      event(1, '20:00', here, { status: 'canceled' }),
      event(2, '20:00', here, { place: null }),
      event(3, '20:00', spot('Annapolis')),
      event(4, '20:00', spot('Bethesda')),
      event(5, '20:00', { ...here, isApproximate: true }),
    ]),
  ).toEqual([4]);
});

test('shows when to leave, and how late the visitor arrives', () => {
  const [near, far] = tonightNear([event(1, '19:10', spot('Bethesda')), event(2, '21:00')], here, NOW);
  expect(near).toMatchObject({ event: { id: 2 }, lateMinutes: 0, leaveAt: new Date('2030-07-13T01:00:00Z') });
  expect(far!.lateMinutes).toBe(far!.journey.minutes - 10);
  expect(far!.lateMinutes).toBeGreaterThan(0);
});

test('an event that begins long before the visitor could arrive is not offered', () => {
  expect(ids([event(1, '19:02', spot('Silver Spring'))])).toEqual([]);
});

test('journeys are described in words', () => {
  expect(journeyText({ by: 'walk', minutes: 12 })).toBe('About 12 minutes on foot');
  expect(journeyText({ by: 'walk', minutes: 0 })).toBe('Right here');
  const [outing] = tonightNear([event(1, '21:00', spot('Clarendon'))], here, NOW);
  expect(journeyText(outing!.journey)).toMatch(
    /^About \d+ minutes by Metro: Red Line from Dupont Circle, change to (Orange|Silver), to Clarendon$/,
  );
});
