import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../testing/fake-api.ts';
import { eventFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

/** The server answers once, and fails when the page requests the event again. */
function once() {
  let asked = 0;
  const calls = fakeApi({
    'GET /api/events/7': () => (asked++ === 0 ? eventFixture() : problem(503, 'unavailable')),
  });
  return () =>
    waitFor(() => expect(calls.filter(({ path }) => path === '/api/events/7').length).toBeGreaterThanOrEqual(2));
}

test('a checkout keeps what was typed when requesting the event again fails', async () => {
  const askedAgain = once();
  const { queries } = renderAt('/ticket-checkout?eventId=7');
  const name = await screen.findByLabelText('Name on the tickets');
  await userEvent.type(name, 'Gail Guest');
  await act(() => queries.invalidateQueries({ queryKey: ['/api/events'] }));
  await askedAgain();
  expect((screen.getByLabelText('Name on the tickets') as HTMLInputElement).value).toBe('Gail Guest');
  expect(screen.queryByText('This event could not be loaded')).toBeNull();
});

test('an event stays on its page when requesting it again fails', async () => {
  const askedAgain = once();
  const { queries } = renderAt('/event/7');
  await screen.findByRole('heading', { name: eventFixture().title });
  await act(() => queries.invalidateQueries({ queryKey: ['/api/events'] }));
  await askedAgain();
  expect(screen.getByRole('heading', { name: eventFixture().title })).toBeTruthy();
  expect(screen.queryByText('This event could not be loaded')).toBeNull();
});
