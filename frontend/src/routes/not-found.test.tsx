import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { eventFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const on = (id: number, day: string, changes = {}) =>
  eventFixture({ id, title: `Event ${id}`, eventDate: `2030-07-${day}T04:00:00.000Z`, ...changes });
const events = [
  on(1, '20'),
  on(2, '14'),
  on(3, '13', { soldTickets: 100 }),
  on(4, '16'),
  on(5, '12', { status: 'canceled' }),
  on(6, '15'),
  on(7, '01', { eventDate: '2020-07-01T04:00:00.000Z' }),
];

test.each(['/nowhere', '/event/99', '/ticket-checkout?eventId=99'])(
  '%s suggests the next three available events',
  async (path) => {
    fakeApi({ 'GET /api/events': events, 'GET /api/events/3': events[2] });
    renderAt(path);
    const section = within(await screen.findByRole('region', { name: 'You might like' }));
    expect(section.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/event/2',
      '/event/6',
      '/event/4',
    ]);
  },
);

test('suggests nothing when there are no events', async () => {
  fakeApi({ 'GET /api/events': [] });
  renderAt('/nowhere');
  await screen.findByText('You missed the exit');
  expect(screen.queryByRole('region', { name: 'You might like' })).toBeNull();
});
