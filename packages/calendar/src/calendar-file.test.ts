import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { calendarFile, type CalendarEntry } from './calendar-file.ts';

const entry = (more: Partial<CalendarEntry> = {}): CalendarEntry => ({
  id: 'event-1@beltway',
  sequence: 0,
  status: 'confirmed',
  start: new Date('2030-06-01T23:00:00Z'),
  end: new Date('2030-06-02T02:00:00Z'),
  summary: 'Jazz',
  location: 'The Wharf, DC',
  description: 'Words.',
  url: 'https://beltway.test/event/1',
  changedAt: new Date('2030-05-01T12:00:00Z'),
  ...more,
});
const fileOf = (entries: CalendarEntry[], name = 'Beltway') => calendarFile({ name, product: '//T//T//EN', entries });
const read = (file: string) => {
  const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
  return { calendar, events: calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event)) };
};

const HOSTILE = [
  'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:forged',
  'a\nATTENDEE:mailto:x@y.z',
  'a\rATTENDEE:mailto:x@y.z',
  'semi;colon, comma \\ back\\nslash "quotes" ^ caret : colon',
  '</script><script>alert(1)</script>',
  'שלום \u202eעולם מוזיקה '.repeat(9),
  '👩🏽‍🍳🎷'.repeat(40),
  '王'.repeat(200),
  'é'.repeat(73) + '👩',
];

test.each(HOSTILE)('%j survives a round trip through a parser', async (text) => {
  const file = await fileOf([entry({ summary: text, location: text, description: text, categories: [text] })], text);
  const { calendar, events } = read(file);
  expect(events).toHaveLength(1);
  const same = text.replace(/\r\n?/g, '\n');
  const [event] = events;
  expect([event!.summary, event!.location, event!.description]).toEqual([same, same, same]);
  // X-WR-CALNAME is not part of RFC 5545, so the parser does not unescape it.
  const name = String(calendar.getFirstPropertyValue('x-wr-calname'));
  expect(name.replace(/\\([\\;,n])/g, (_, char: string) => (char === 'n' ? '\n' : char))).toBe(same);
  expect(event!.component.getFirstProperty('categories')?.getValues()).toEqual([same]);
  expect(event!.attendees).toEqual([]);
});

test.each(HOSTILE)('lines end with CRLF, have at most 75 octets and never split a character (%j)', async (text) => {
  const file = await fileOf([entry({ summary: text, description: text.repeat(3) })], text);
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of file.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line.isWellFormed()).toBe(true);
  }
});

test('control characters, which RFC 5545 forbids, are removed, and lone surrogates are replaced', async () => {
  const { events } = read(await fileOf([entry({ summary: 'a\u0000b\u0007c\u007f\ud83d' })]));
  expect(events[0]!.summary).toBe('abc\ufffd');
});

test('an entry contains its time of change, sequence and status', async () => {
  const changed = entry({ sequence: 3, status: 'canceled', position: { lat: 38.9, lon: -77.02 } });
  const { calendar, events } = read(await fileOf([changed]));
  const { component } = events[0]!;
  const value = (name: string) => String(component.getFirstPropertyValue(name));
  expect([value('uid'), value('sequence'), value('status')]).toEqual(['event-1@beltway', '3', 'CANCELLED']);
  expect([value('dtstamp'), value('last-modified')]).toEqual(['2030-05-01T12:00:00Z', '2030-05-01T12:00:00Z']);
  expect(value('geo')).toBe('38.9,-77.02');
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  expect(calendar.getFirstPropertyValue('method')).toBeNull();
});

test('the same entries make the same file', async () => {
  expect(await fileOf([entry()])).toBe(await fileOf([entry()]));
});
