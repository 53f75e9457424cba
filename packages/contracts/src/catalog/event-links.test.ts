import { expect, test } from 'vitest';
import { calendarUrl, mapUrl } from './event-links.ts';

const event = {
  title: 'Café & <Noir>',
  location: '9 U Street #2, Washington, DC',
  eventDate: '2030-06-01T04:00:00.000Z',
  eventStartTime: '19:00',
  eventEndTime: '01:00',
};

test('a map link escapes the location that the organizer typed', () => {
  const url = new URL(mapUrl('Bar & Grill?q=1#x'));
  expect([url.origin, url.searchParams.get('query')]).toEqual(['https://www.google.com', 'Bar & Grill?q=1#x']);
});

test('a calendar link has title, place and hours in UTC; an end after midnight is on the next day', () => {
  const { searchParams, hash } = new URL(calendarUrl(event, 'https://x.test/#key=1'));
  expect(Object.fromEntries(searchParams)).toEqual({
    action: 'TEMPLATE',
    text: 'Café & <Noir>',
    dates: '20300601T230000Z/20300602T050000Z',
    location: '9 U Street #2, Washington, DC',
    details: 'https://x.test/#key=1',
  });
  expect(hash).toBe('');
});
