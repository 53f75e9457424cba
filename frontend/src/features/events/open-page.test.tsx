import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { EventCard } from './event-card.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2030-07-12T13:59:59Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const at = (time: string) => {
  vi.setSystemTime(new Date(time));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

test('a card on an open page follows its event from the start of the sale to the end', () => {
  fakeApi({});
  const event = eventFixture({
    // 8 PM to 11 PM in New York.
    ...{ eventDate: '2030-07-12T04:00:00.000Z', eventStartTime: '20:00', eventEndTime: '23:00' },
    ...{ ticketSalesStartTime: '2030-07-12T14:00:00.000Z', ticketSalesEndTime: '2030-07-13T00:00:00.000Z' },
  });
  renderAt('/', <EventCard event={event} />);
  const link = () => screen.queryByRole('link', { name: /Get Tickets|Buy/i });
  expect(link()).toBeNull();
  expect(screen.getByText(/On sale from/)).toBeTruthy();
  at('2030-07-12T14:00:00Z');
  expect(link()).toBeTruthy();
  expect(screen.queryByText(/On sale from/)).toBeNull();
  at('2030-07-13T00:00:00Z');
  expect(link()).toBeNull();
  expect(screen.getByText(/sales have ended|Sales ended/i)).toBeTruthy();
  expect(screen.queryByText('Ended')).toBeNull();
  at('2030-07-13T03:00:00Z');
  expect(screen.getByText('Ended')).toBeTruthy();
});
