import { PROMOTIONS } from '@beltway/contracts/catalog/promotion';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatCents } from '../../lib/i18n/format.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi } from '../../testing/fake-api.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { packages } from './packages.ts';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(() => vi.unstubAllGlobals());

let app: ReturnType<typeof renderAt>;
const open = (path: string, event = eventFixture(), answers: Record<string, unknown> = {}) => {
  const calls = fakeApi({
    'GET /api/events/7': event,
    'GET /api/events': fakeEvents([]),
    'GET /api/users/3/events': [event],
    'GET /api/tickets/sales': [],
    ...answers,
  });
  app = renderAt(path);
  return calls;
};
const address = () => screen.getByTestId('address').textContent;
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Promote your event' }));

test('offers the three packages at the catalog’s prices; a live stream is configured before it is paid', async () => {
  open('/dashboard#promote-7');
  const shown = await dialog();
  for (const [name, level] of [
    ['Featured', 'featured'],
    ['Premium', 'premium'],
    ['Livestream', 'livestream'],
  ] as const) {
    const offer = within(await shown.findByRole('region', { name }));
    expect(offer.getByText(formatCents(PROMOTIONS[level].cents))).toBeTruthy();
    expect(offer.getByText(`${PROMOTIONS[level].hours} hours, one-time payment`)).toBeTruthy();
    expect(offer.queryByText('Most Popular') !== null).toBe(level === 'livestream');
  }
  const livestream = within(shown.getByRole('region', { name: 'Livestream' }));
  expect(livestream.getByRole('link', { name: 'Choose Livestream' }).getAttribute('href')).toBe(
    '/livestream-checkout?eventId=7',
  );
});

test('opens from the account’s own event; choosing by keyboard opens the checkout, and Back leads to the event', async () => {
  const user = userEvent.setup();
  open('/event/7');
  const button = await screen.findByRole('button', { name: 'Promote' });
  button.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/event/7#promote-7'));
  const link = await (await dialog()).findByRole('link', { name: 'Choose Premium' });
  for (let presses = 0; presses < 6 && document.activeElement !== link; presses++) await user.tab();
  expect(document.activeElement).toBe(link);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/checkout?level=premium&eventId=7'));
  expect(screen.queryByRole('dialog')).toBeNull();
  window.history.back();
  await waitFor(() => expect(address()).toBe('/event/7'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Escape closes it and returns the focus', async () => {
  const user = userEvent.setup();
  open('/dashboard');
  await user.click(await screen.findByRole('button', { name: 'Promote the event Go-Go on the Roof' }));
  await (await dialog()).findByRole('link', { name: 'Choose Featured' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(address()).toBe('/dashboard');
  expect(document.activeElement?.textContent).toBe('Promote the event Go-Go on the Roof');
});

test.for([
  ['canceled', { status: 'canceled' }, /was canceled/],
  ['postponed', { status: 'postponed' }, /has no date yet/],
  ['over', { eventDate: '2020-07-12T04:00:00.000Z' }, /is over/],
] as const)('%s: an event has no promote button, and the dialog shows the reason', async ([, changes, words]) => {
  open('/event/7', eventFixture(changes));
  await screen.findByRole('region', { name: 'Your event' });
  expect(screen.queryByRole('button', { name: 'Promote' })).toBeNull();
  act(() => app.navigate('/event/7#promote-7'));
  const shown = await dialog();
  expect(await shown.findByText(words)).toBeTruthy();
  expect(shown.queryByRole('link')).toBeNull();
});

test('another account has no promote button, and the dialog has no link to the checkout', async () => {
  open('/event/7#promote-7', eventFixture({ userId: 4 }));
  const shown = await dialog();
  expect(await shown.findByText('Only the organizer can promote an event.')).toBeTruthy();
  expect(shown.queryByRole('link')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Promote', hidden: true })).toBeNull();
});

test.for(['promote-0', 'promote-abc', 'promote-', 'promote-7x', 'promote-99999999999'])(
  'a URL without a valid event opens nothing: #%s',
  async (hash) => {
    const calls = open(`/dashboard#${hash}`);
    await screen.findByRole('article');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls.some(({ path }) => path.startsWith('/api/events/'))).toBe(false);
  },
);

test('a visitor is asked to sign in, and comes back', async () => {
  sessionStore.clear();
  open('/event/7#promote-7');
  await waitFor(() => expect(address()).toBe('/auth?next=%2Fevent%2F7%23promote-7'));
  expect(await screen.findByText('Sign in to promote your event.')).toBeTruthy();
});

test('an event that cannot be loaded can be retried', async () => {
  let isDown = true;
  open('/dashboard#promote-7', eventFixture(), {
    'GET /api/events/7': () => (isDown ? answer(503) : eventFixture()),
  });
  const retry = await (await dialog()).findByRole('button', { name: 'Retry' });
  isDown = false;
  await userEvent.click(retry);
  expect(await (await dialog()).findByRole('link', { name: 'Choose Featured' })).toBeTruthy();
});

test.each([
  ['no source of its own', { encoder: false, camera: false }, 'shown from YouTube, Vimeo or your HLS link'],
  ['an encoder', { encoder: true, camera: false }, 'shown from OBS, YouTube, Vimeo or your HLS link'],
  [
    'encoder and camera',
    { encoder: true, camera: true },
    'shown from OBS, your browser’s camera, YouTube, Vimeo or your HLS link',
  ],
])(
  'where the site accepts a signal from %s, the live stream’s description lists it before payment',
  async (_what, sources, words) => {
    open('/dashboard#promote-7', eventFixture(), { 'GET /api/stream-sources': sources });
    const offer = within(await (await dialog()).findByRole('region', { name: 'Livestream' }));
    expect(await offer.findByText(new RegExp(`${words}$`))).toBeTruthy();
  },
);

test('benefits name only existing features: Top Picks is open', () => {
  const benefits = packages().flatMap((one) => one.benefits);
  expect(benefits).toContain('Video upload: a promoted video in Top Picks');
  expect(benefits.filter((benefit) => /as soon as/.test(benefit))).toEqual([]);
});
