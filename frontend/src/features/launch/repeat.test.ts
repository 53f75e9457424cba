import { CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { expect, test } from 'vitest';
import { bodyOf, copyOf, emptyForm, launchSchema, type LaunchForm } from './launch-form.ts';
import { choicesFor, daysOfForm, leavesOut } from './repeat.ts';
import { eventFixture } from '../../testing/fixtures.ts';

const form = (changes: Partial<LaunchForm>): LaunchForm => ({
  ...emptyForm('ann@example.com'),
  ...{ title: 'Go-Go Night', description: 'Loud.', location: 'Shaw, Washington, DC', tags: ['#liveDJ'] },
  eventDate: '2030-01-31',
  ...changes,
});
const wrong = (changes: Partial<LaunchForm>) =>
  launchSchema()
    .safeParse(form(changes))
    .error?.issues.map(({ path, message }) => [path[0], message]);

test('the choices depend on the first day', () => {
  expect(choicesFor('2030-01-31', 'never').map(([, words]) => words)).toEqual([
    'Once',
    'Every week, on Thursdays',
    'Every month on the 31st',
    'Every month on the fifth Thursday',
    'Every month on the last Thursday',
    'Pick dates',
  ]);
  expect(choicesFor('2030-01-12', 'never').map(([, words]) => words)).toContain('Every month on the 12th');
  expect(choicesFor('2030-01-12', 'never').map(([choice]) => choice)).not.toContain('month-last');
  expect(choicesFor('', 'never')).toHaveLength(5);
});

test.each([
  [{ repeat: 'week', repeatCount: '2' }, ['2030-01-31', '2030-02-07']],
  [{ repeat: 'month-day', repeatCount: '2' }, ['2030-01-31', '2030-03-31']],
  [{ repeat: 'month-last', repeatCount: '2' }, ['2030-01-31', '2030-02-28']],
  [{ repeat: 'dates', moreDates: ['2030-03-01', '2030-01-31'] }, ['2030-01-31', '2030-03-01']],
  [{ repeat: 'dates', moreDates: ['2030-01-31'] }, []],
  [{ repeat: 'week', repeatCount: '53' }, []],
  [{ repeat: 'week', repeatCount: '4', eventDate: '' }, []],
  [{ repeat: 'never' }, []],
] as Array<[Partial<LaunchForm>, string[]]>)('%j previews the server’s dates', (changes, days) => {
  expect(daysOfForm(form(changes))).toEqual(days);
  if (days.length > 0) expect(CreateEventBody.safeParse(bodyOf(form(changes))).error).toBeUndefined();
  else if (changes.eventDate !== '') expect(bodyOf(form(changes))).not.toHaveProperty('repeat');
});

test('reports errors at their fields', () => {
  for (const repeatCount of ['', '1', '53', '2.5', '1e1', 'x'])
    expect(wrong({ repeat: 'week', repeatCount })).toEqual([['repeatCount', 'Enter how many dates, 2 to 52']]);
  expect(wrong({ repeat: 'dates' })).toEqual([['moreDates', 'Choose at least one more date']]);
  expect(wrong({ repeat: 'month-last', eventDate: '2030-01-10' })?.[0]?.[0]).toBe('repeat');
  expect(wrong({ repeatCount: '' })).toBeUndefined();
});

test('shows which months are skipped', () => {
  expect(leavesOut(form({ repeat: 'month-day' }))).toContain('Skips months');
  expect(leavesOut(form({ repeat: 'month-weekday' }))).toContain('Skips months');
  expect(leavesOut(form({ repeat: 'month-last' }))).toBeNull();
});

test('a copy has all fields except the date, and keeps a picture but no poster', () => {
  const copy = copyOf(eventFixture({ imageUrl: '/media/images/0af3-large.webp', contactEmail: 'org@example.com' }));
  expect(copy).toMatchObject({ title: 'Go-Go on the Roof', eventDate: '', hasTickets: true, totalTickets: '100' });
  expect(copy).toMatchObject({ imageUrl: '/media/images/0af3-large.webp', contactEmail: 'org@example.com' });
  expect(copyOf(eventFixture({ imageUrl: '/media/posters/7-0123456789abcd.webp' })).imageUrl).toBe('');
});
