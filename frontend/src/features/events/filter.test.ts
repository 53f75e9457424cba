import { describe, expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { filterEvents, isFiltering, readFilter } from './filter.ts';

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
