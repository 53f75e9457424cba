import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  NotificationKind,
  type Notification,
  type NotificationChoices,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';

/** A fake socket: the events that the page sent, and its handlers. */
const wire = vi.hoisted(() => ({
  said: [] as unknown[][],
  heard: new Map<string, Array<(data?: unknown) => void>>(),
}));
vi.mock('socket.io-client', () => ({
  io: () => ({
    connected: true,
    on: (event: string, handler: () => void) => void wire.heard.set(event, [...(wire.heard.get(event) ?? []), handler]),
    off: () => undefined,
    emit: (...said: unknown[]) => void wire.said.push(said),
  }),
}));
const followed = () => wire.said.filter(([event]) => event === 'follow-notifications').map(([, token]) => token);
/** The server's response to the subscription: whether the subscription is accepted, and the unread count. */
const answered = (...said: [isFollowing: boolean, unread?: number]) =>
  act(() => (wire.said.at(-1)![2] as (...said: unknown[]) => void)(...said));
const hear = (event: string) => act(() => wire.heard.get(event)?.forEach((handler) => handler()));

// Loads the modules again, so that this file does not use the module-level socket of another test file.
vi.resetModules();
const { sessionStore } = await import('../../lib/storage/session-store.ts');
const { renderAt } = await import('../../testing/render.tsx');
afterAll(() => void vi.resetModules());
afterEach(() => sessionStore.clear());
beforeEach(() => void (wire.said.length = 0));

const notification = (id: number, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'ticket-bought',
  title: `Your tickets for night ${id}`,
  text: 'Fri, Dec 4, 2026, 7 PM',
  path: '/terms',
  at: `2026-11-23T12:00:${String(id).padStart(2, '0')}.000Z`,
  isRead: false,
  ...more,
});

/** A fake server that returns notifications newest first, two per page. */
function serve(all: Notification[]) {
  const unread = () => ({ unread: all.filter(({ isRead }) => !isRead).length });
  const read = (isMeant: (one: Notification) => boolean) => {
    for (const one of all) if (isMeant(one)) one.isRead = true;
    return unread();
  };
  const page = (from: number) => ({
    items: all.slice(from, from + 2),
    nextCursor: from + 2 < all.length ? `${from + 2}_1` : null,
  });
  const calls = fakeApi({
    'GET /api/me/notifications': ({ path }: FakeCall) => page(Number(/cursor=(\d+)_/.exec(path)?.[1] ?? 0)),
    'GET /api/me/notifications/unread': unread,
    'POST /api/me/notifications/read': ({ body }: FakeCall) =>
      read(({ at }) => at <= (body as { until: string }).until),
    'GET /api/message-board/7': () => problem(404, 'not-found'),
    ...Object.fromEntries(
      all.map(({ id }) => [`PUT /api/me/notifications/${id}/read`, () => read((one) => one.id === id)]),
    ),
  });
  return { calls, all };
}

function open(all: Notification[], path = '/privacy') {
  sessionStore.set(sessionFixture());
  const served = serve(all);
  renderAt(path);
  return served;
}
const bell = (name: string) => screen.findByRole('button', { name });

test('a visitor sees no bell', async () => {
  serve([]);
  renderAt('/privacy');
  await screen.findByRole('link', { name: 'Sign in' });
  expect(screen.queryByRole('button', { name: /Notifications/ })).toBeNull();
});

test('shows the unread count, and fetches it again when the socket reports a change', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toEqual([sessionFixture().token]));
  all.unshift(notification(2));
  hear('notifications-changed');
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 2 unread' }));
});

test('fetches the count again when the subscription is accepted, because the page missed earlier changes', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toHaveLength(1));
  all.unshift(notification(2));
  answered(true);
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 2 unread' }));
});

test("loads the count once: the count in the subscription's response replaces an older count", async () => {
  sessionStore.set(sessionFixture());
  let late: (body: unknown) => void = () => undefined;
  const calls = fakeApi({
    'GET /api/me/notifications/unread': () => new Promise((resolve) => (late = resolve)),
  });
  renderAt('/privacy');
  await waitFor(() => expect(followed()).toHaveLength(1));
  answered(true, 3);
  await bell('Notifications, 3 unread');
  await act(async () => late({ unread: 2 }));
  expect(screen.getByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy();
  expect(calls.filter(({ path }) => path === '/api/me/notifications/unread')).toHaveLength(1);
});

test('fetches the count again if a notification arrives between the subscription and its response', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toHaveLength(1));
  all.unshift(notification(2), notification(3));
  hear('notifications-changed');
  answered(true, 2);
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 3 unread' }));
});

test("ignores the socket's response for an account that is no longer shown", async () => {
  open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toHaveLength(1));
  const ofBefore = wire.said.at(-1)!;
  act(() => sessionStore.set({ ...sessionFixture(), token: 'another.token.x' }));
  await waitFor(() => expect(followed()).toHaveLength(2));
  act(() => (ofBefore[2] as (...said: unknown[]) => void)(true, 9));
  answered(true, 4);
  await bell('Notifications, 4 unread');
  expect(screen.queryByRole('button', { name: 'Notifications, 9 unread' })).toBeNull();
});

test('a new token replaces the old token without a gap; an expired token is renewed', async () => {
  open([notification(1)]);
  await waitFor(() => expect(followed()).toEqual([sessionFixture().token]));
  const fresh = { ...sessionFixture(), token: 'fresh.token.x' };
  act(() => sessionStore.set(fresh));
  await waitFor(() => expect(followed()).toEqual([sessionFixture().token, fresh.token]));
  const renewed = fakeApi({
    'POST /api/auth/refresh': { ...fresh, token: 'renewed.token.x' },
    'GET /api/me/notifications/unread': { unread: 0 },
  });
  hear('token-expired');
  await waitFor(() => expect(followed().at(-1)).toBe('renewed.token.x'));
  expect(renewed.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
  act(() => sessionStore.clear());
  await waitFor(() => expect(followed().at(-1)).toBeNull());
});

test('shows 99+ above 99', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'GET /api/me/notifications/unread': { unread: 100 } });
  renderAt('/privacy');
  await bell('Notifications, 99+ unread');
});

test('following a notification marks it as read and opens its page, and Back leads to the page below', async () => {
  const { calls } = open([notification(2), notification(1, { isRead: true })]);
  await userEvent.click(await bell('Notifications, 1 unread'));
  await screen.findByRole('dialog', { name: 'Notifications' });
  expect(screen.getByTestId('address').textContent).toBe('/privacy#notifications');
  await userEvent.click(await screen.findByRole('link', { name: /Unread: Your tickets for night 2/ }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/terms'));
  expect(screen.queryByRole('dialog')).toBeNull();
  await bell('Notifications');
  expect(calls.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual([
    '/api/me/notifications/2/read',
  ]);
  await act(async () => {
    window.history.back();
    await waitFor(() => expect(window.location.pathname).toBe('/privacy'));
  });
});

test('a notification that leads to the current page reloads its content', async () => {
  const { calls } = open(
    [notification(1, { kind: 'reply', path: '/community/questions/7' })],
    '/community/questions/7',
  );
  const asked = () => calls.filter(({ path }) => path.startsWith('/api/message-board/7')).length;
  await screen.findByRole('heading', { level: 1 });
  const before = asked();
  expect(before).toBeGreaterThan(0);
  await userEvent.click(await bell('Notifications, 1 unread'));
  await userEvent.click(await screen.findByRole('link', { name: /Unread: Your tickets for night 1/ }));
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});

test('shows more pages, and marks everything up to the latest shown notification as read', async () => {
  const { calls } = open([notification(3), notification(2), notification(1)], '/privacy#notifications');
  expect(await screen.findAllByRole('listitem')).not.toHaveLength(0);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByRole('link', { name: /night 1/ });
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ until: notification(3).at });
});

test('an empty list explains what will appear, and links to the settings', async () => {
  open([], '/privacy#notifications');
  await screen.findByRole('heading', { name: 'Nothing yet' });
  await userEvent.click(screen.getByRole('link', { name: 'Notification settings' }));
  // The dialog must not open on the account page.
  await screen.findByRole('heading', { level: 1, name: 'Account' });
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(document.activeElement?.id).toBe('notifications-title'));
});

test('a list that cannot be loaded can be retried', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({
    'GET /api/me/notifications/unread': { unread: 1 },
    'GET /api/me/notifications': () => problem(503, 'unavailable'),
  });
  renderAt('/privacy#notifications');
  await screen.findByText('Couldn’t load notifications');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

const CHOSEN: NotificationPreferences = {
  page: Object.fromEntries(NotificationKind.options.map((kind) => [kind, true])) as NotificationPreferences['page'],
  mail: { 'ticket-sold': false, 'organizer-published': false, 'search-matched': false, 'comment-answered': false },
  push: Object.fromEntries(NotificationKind.options.map((kind) => [kind, true])) as NotificationPreferences['push'],
  isDaily: false,
};
const box = (group: string, label: string) =>
  within(screen.getByRole('group', { name: group })).getByRole('checkbox', { name: label });

const isChosen = (group: string, label: string) => (box(group, label) as HTMLInputElement).checked;

test('each choice is saved immediately, and undone if the server refuses', async () => {
  sessionStore.set(sessionFixture());
  let isRefused = false;
  // The server's state. After the page loaded, the link in a mail turned one choice off.
  let now: NotificationPreferences = CHOSEN;
  const calls = fakeApi({
    'GET /api/me/notifications/unread': { unread: 0 },
    'GET /api/me/notification-preferences': { ...CHOSEN, mail: { ...CHOSEN.mail, 'comment-answered': true } },
    'GET /api/me/push-subscriptions': { publicKey: null, endpoints: [] },
    'PATCH /api/me/notification-preferences': ({ body }: FakeCall) => {
      if (isRefused) return problem(503, 'unavailable');
      const { page, mail } = body as NotificationChoices;
      now = { ...now, page: { ...now.page, ...page }, mail: { ...now.mail, ...mail } };
      return now;
    },
  });
  renderAt('/account');
  await screen.findByRole('group', { name: 'Refunds' });
  expect(within(screen.getByRole('group', { name: 'Refunds' })).getByText('Email (always on)')).toBeTruthy();
  await userEvent.click(box('Tickets sold for your events', 'Email'));
  await userEvent.click(box('Replies to your comments', 'In app'));
  const said = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  await waitFor(() =>
    expect(said()).toEqual([{ mail: { 'ticket-sold': true } }, { page: { 'comment-answered': false } }]),
  );
  await waitFor(() => expect(isChosen('Replies to your comments', 'Email')).toBe(false));
  expect(isChosen('Tickets sold for your events', 'Email')).toBe(true);
  expect(screen.queryByRole('checkbox', { name: 'Push' })).toBeNull();
  isRefused = true;
  await userEvent.click(screen.getByRole('checkbox', { name: /Send one daily email/ }));
  await screen.findByText('Not saved');
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Send one daily email/ }).checked).toBe(false),
  );
});

test('a mail’s link leads to a button that stops the mails without signing in; an incomplete link is reported', async () => {
  const calls = fakeApi({
    'POST /api/notifications/unsubscribe?token=7.ticket-sold.x': answer(204),
    'POST /api/notifications/unsubscribe': () => problem(400, 'invalid', { detail: 'This link is not whole.' }),
  });
  const { navigate } = renderAt('/unsubscribe#7.ticket-sold');
  const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  await screen.findByRole('heading', { name: 'Unsubscribe?' });
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await press();
  await screen.findByText('This link is not whole.');
  act(() => navigate('/unsubscribe#7.ticket-sold.x'));
  await press();
  await screen.findByRole('heading', { name: 'You’re unsubscribed' });
  const settings = screen.getByRole('link', { name: 'Notification settings' });
  expect(settings.getAttribute('href')).toBe('/account#notification-settings');
});
