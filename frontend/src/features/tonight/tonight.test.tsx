import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { Tonight } from './tonight.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const uStreet = { id: 'u-street-dc', name: 'U Street', lat: 38.917, lon: -77.03, state: 'DC' as const };
const jazz = eventFixture({ id: 1, title: 'Jazz Night', eventStartTime: '20:30', place: uStreet });
const page = (...items: unknown[]) => ({ 'GET /api/events': { items, nextCursor: null } });

// 7 PM in New York, on the date of the fixtures.
beforeEach(() => void vi.setSystemTime(new Date('2030-07-12T23:00:00Z')));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const device = (getCurrentPosition: (found: (at: object) => void, failed: (error: object) => void) => void) =>
  vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({ getCurrentPosition } as unknown as Geolocation);

test('asks for the starting place first, and sends no request before', async () => {
  const calls = fakeApi(page(jazz));
  renderAt('/tonight', <Tonight />);
  await screen.findByRole('heading', { name: 'Where are you starting from?' });
  expect(calls).toEqual([]);
});

test('from a place, shows the events, their price, tickets left, the journey and when to leave', async () => {
  const calls = fakeApi(
    page(jazz, eventFixture({ id: 2, title: 'Tomorrow', place: uStreet, eventStartTime: '23:00' })),
  );
  renderAt('/tonight', <Tonight />);
  await userEvent.type(screen.getByRole('combobox', { name: 'Station or neighborhood' }), 'dupont cirle');
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  const card = await screen.findByRole('article');
  expect(card.textContent).toContain('Jazz Night');
  expect(card.textContent).toContain('$25.00, 58 left');
  expect(card.textContent).toMatch(/Leave at 8:\d\d PM/);
  expect(card.textContent).toMatch(/About \d+ minutes on foot/);
  expect(screen.getByTestId('address').textContent).toBe('/tonight?from=dupont-circle-dc');
  const asked = calls.find(({ path }) => path.startsWith('/api/events?'))!.path;
  expect(Object.fromEntries(new URLSearchParams(asked.split('?')[1]))).toMatchObject({
    from: '2030-07-12T23:00:00.000Z',
    sort: 'soonest',
  });
  // The page sends the position rounded to a tenth of a degree.
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/weather?near=38.9,-77.0'));
});

test('finds a near event among more events than one page of results has', async () => {
  const far = Array.from({ length: 230 }, (_, at) =>
    eventFixture({
      id: at + 100,
      title: `Far away ${at}`,
      place: null,
      eventDate: jazz.eventDate,
      eventStartTime: '20:00',
    }),
  );
  fakeApi({ 'GET /api/events': fakeEvents([...far, jazz]), 'GET /api/weather': problem(503, 'unavailable') });
  renderAt('/tonight?from=dupont-circle-dc', <Tonight />);
  expect((await screen.findByRole('article')).textContent).toContain('Jazz Night');
  expect(screen.queryByText(/only checked the first/)).toBeNull();
});

test('uses the device’s position, which never appears in the URL', async () => {
  device((found) => found({ coords: { latitude: 38.9171, longitude: -77.0301 } }));
  const calls = fakeApi(page(jazz));
  renderAt('/tonight', <Tonight />);
  await userEvent.click(screen.getByRole('button', { name: 'Use my location' }));
  expect((await screen.findByRole('article')).textContent).toContain('Jazz Night');
  expect(screen.getByTestId('address').textContent).toBe('/tonight');
  expect(calls.some(({ path }) => path.includes('38.917'))).toBe(false);
});

test('reports a refused position, and continues with a place', async () => {
  device((_found, failed) => failed({ code: 1, PERMISSION_DENIED: 1 }));
  fakeApi(page(jazz));
  renderAt('/tonight', <Tonight />);
  await userEvent.click(screen.getByRole('button', { name: 'Use my location' }));
  await screen.findByText(/Location is blocked/);
  await userEvent.type(screen.getByRole('combobox'), 'U Street{Enter}');
  expect(await screen.findByRole('article')).toBeTruthy();
  expect(screen.queryByText(/Location is blocked/)).toBeNull();
});

test('reports an unknown place at the field', async () => {
  fakeApi(page());
  renderAt('/tonight', <Tonight />);
  await userEvent.type(screen.getByRole('combobox'), 'Seattle{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t find that place');
  expect(document.activeElement).toBe(screen.getByRole('combobox'));
  expect(screen.getByRole('combobox').getAttribute('aria-invalid')).toBe('true');
});

test('shows a note if nothing starts nearby, and the reason of an error', async () => {
  let isDown = true;
  fakeApi({ 'GET /api/events': () => (isDown ? problem(503, 'unavailable') : { items: [], nextCursor: null }) });
  renderAt('/tonight?from=bethesda-md', <Tonight />);
  const alert = await screen.findByRole('alert');
  isDown = false;
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Nothing starts near you soon' })).toBeTruthy();
});
