import { describe, expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { byDay, filterEvents, firstOf, isFiltering, readFilter } from './filter.ts';

const none = { q: '', tag: '', line: '' };
const jazz = eventFixture({ id: 1, title: 'Jazz at the Café', tags: ['#music', '#free'] });
const market = eventFixture({ id: 2, title: 'Night Market', location: 'The Wharf', tags: ['#food'] });
const events = [jazz, market];

describe('filtering', () => {
  test.each([
    ['nothing', none, [jazz, market]],
    ['a word of the title, whatever its case and accents', { ...none, q: 'CAFE' }, [jazz]],
    ['a place', { ...none, q: 'wharf' }, [market]],
    ['all of the words', { ...none, q: 'night wharf' }, [market]],
    ['not only some of them', { ...none, q: 'night jazz' }, []],
    ['a tag in the box', { ...none, q: '#free' }, [jazz]],
    ['a tag, whole', { ...none, tag: '#Free' }, [jazz]],
    ['no half of a tag', { ...none, tag: '#fre' }, []],
    ['a line', { ...none, line: 'orange' }, [market]],
    ['a line nobody has', { ...none, line: 'purple' }, []],
  ])('by %s', (_name, filter, found) => expect(filterEvents(events, filter)).toEqual(found));

  test('reads the address', () => {
    const filter = readFilter(new URLSearchParams('q=jazz&tag=%23free'));
    expect(filter).toEqual({ q: 'jazz', tag: '#free', line: '' });
    expect(isFiltering(filter)).toBe(true);
    expect(isFiltering({ ...none, q: '  ' })).toBe(false);
  });
});

describe('by day', () => {
  const now = new Date('2030-07-12T18:00:00Z');
  const on = (id: number, day: string, eventStartTime = '19:00') =>
    eventFixture({ id, eventDate: `${day}T04:00:00.000Z`, eventStartTime });
  test('soonest first, earlier hours first, what is over last and latest first', () => {
    const days = byDay(
      [
        on(1, '2030-07-10'),
        on(2, '2030-07-14'),
        on(3, '2030-07-12', '21:00'),
        on(4, '2030-07-12', '09:00'),
        on(5, '2030-07-11'),
      ],
      now,
    );
    expect(days.map(({ key, events: these }) => [key, these.map(({ id }) => id)])).toEqual([
      ['2030-07-12', [4, 3]],
      ['2030-07-14', [2]],
      ['2030-07-11', [5]],
      ['2030-07-10', [1]],
    ]);
  });
  test('pages cut a day where the page ends', () => {
    const days = byDay([on(1, '2030-07-12'), on(2, '2030-07-12'), on(3, '2030-07-13')], now);
    expect(firstOf(days, 1).map(({ events: these }) => these.length)).toEqual([1]);
    expect(firstOf(days, 3).map(({ events: these }) => these.length)).toEqual([2, 1]);
  });
});
