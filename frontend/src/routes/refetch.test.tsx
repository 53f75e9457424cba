import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../testing/fake-api.ts';
import { eventFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

/** A fake server that returns the event once, and fails on the refetch. */
function once() {
  let asked = 0;
  const calls = fakeApi({
    'GET /api/events/7': () => (asked++ === 0 ? eventFixture() : problem(503, 'unavailable')),
  });
  return () =>
    waitFor(() => expect(calls.filter(({ path }) => path === '/api/events/7').length).toBeGreaterThanOrEqual(2));
}

test('a checkout keeps its input when refetching the event fails', async () => {
  const askedAgain = once();
  const { queries } = renderAt('/ticket-checkout?eventId=7');
  const name = await screen.findByLabelText('Name on the tickets');
  await userEvent.type(name, 'Gail Guest');
  await act(() => queries.invalidateQueries({ queryKey: ['/api/events'] }));
  await askedAgain();
  expect((screen.getByLabelText('Name on the tickets') as HTMLInputElement).value).toBe('Gail Guest');
  expect(screen.queryByText('Couldn’t load this event')).toBeNull();
});

test('an event page keeps showing the event when refetching it fails', async () => {
  const askedAgain = once();
  const { queries } = renderAt('/event/7');
  await screen.findByRole('heading', { name: eventFixture().title });
  await act(() => queries.invalidateQueries({ queryKey: ['/api/events'] }));
  await askedAgain();
  expect(screen.getByRole('heading', { name: eventFixture().title })).toBeTruthy();
  expect(screen.queryByText('Couldn’t load this event')).toBeNull();
});
