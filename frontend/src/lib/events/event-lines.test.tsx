import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { When } from './event-lines.tsx';

afterEach(() => void vi.useRealTimers());

const festival = eventFixture({ eventLastDate: '2030-07-14T04:00:00.000Z', eventEndTime: '23:30' });
const shownAt = (now: string, event = festival) => {
  vi.setSystemTime(new Date(now));
  const { container, unmount } = render(<When event={event} />);
  const text = container.querySelector('[aria-hidden]')?.textContent;
  unmount();
  return text;
};

test('an event of several days shows its first and last day, and its end while it is running', () => {
  expect(shownAt('2030-07-01T12:00:00Z')).toBe('Fri, Jul 12 – Sun, Jul 14, 7 PM');
  expect(shownAt('2030-07-12T12:00:00Z')).toBe('Today – Sun, Jul 14, 7 PM');
  expect(shownAt('2030-07-13T12:00:00Z')).toBe('On now, until Sun, Jul 14');
  expect(shownAt('2030-07-14T12:00:00Z')).toBe('On now, until 11:30 PM');
  expect(shownAt('2030-07-15T12:00:00Z')).toBe('Fri, Jul 12 – Sun, Jul 14, 7 PM');
});

test('screen readers read both days of an event of several days', () => {
  render(<When event={festival} />);
  expect(screen.getByText('Friday, July 12, 2030 – Sunday, July 14, 2030, 7 PM – 11:30 PM')).toBeTruthy();
});

test('an event of one day shows its day and start', () => {
  const one = eventFixture({ eventLastDate: null, eventEndTime: '23:30' });
  expect(shownAt('2030-07-01T12:00:00Z', one)).toBe('Fri, Jul 12, 7 PM');
  expect(shownAt('2030-07-13T01:00:00Z', one)).toBe('On now, until 11:30 PM');
});
