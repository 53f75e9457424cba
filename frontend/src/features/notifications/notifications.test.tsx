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

/** The page's connection: what it was told to say, and what it hears. */
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
/** The server answers whether the page's connection follows, and how many are unread. */
const answered = (...said: [isFollowing: boolean, unread?: number]) =>
  act(() => (wire.said.at(-1)![2] as (...said: unknown[]) => void)(...said));
const hear = (event: string) => act(() => wire.heard.get(event)?.forEach((handler) => handler()));

// A new page load: tests of another file may have opened the page's one connection, and are not to find this one.
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

/** The server: newest first, two in a page. */
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

test('there is no bell for who is not signed in', async () => {
  serve([]);
  renderAt('/privacy');
  await screen.findByRole('link', { name: 'Sign in' });
  expect(screen.queryByRole('button', { name: /Notifications/ })).toBeNull();
});

test('counts what is unread, and counts again when the connection says that something rang', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toEqual([sessionFixture().token]));
  all.unshift(notification(2));
  hear('notifications-changed');
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 2 unread' }), { timeout: 4_000 });
});

test('counts again once the connection is its own: what rang before was said to nobody', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toHaveLength(1));
  all.unshift(notification(2));
  answered(true);
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 2 unread' }), { timeout: 4_000 });
});

test('asks once as it loads: the connection says how many there are by then, in place of an older answer', async () => {
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

test('asks again when something rang before the connection said how many there were', async () => {
  const { all } = open([notification(1)]);
  await bell('Notifications, 1 unread');
  await waitFor(() => expect(followed()).toHaveLength(1));
  all.unshift(notification(2), notification(3));
  hear('notifications-changed');
  answered(true, 2);
  await waitFor(() => screen.getByRole('button', { name: 'Notifications, 3 unread' }), { timeout: 4_000 });
});

test('what the connection says of an account that is no longer shown is not shown', async () => {
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

test('a fresh token takes the place of the old one without a time between; an ended one is renewed', async () => {
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

test('says 99+ beyond that many', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'GET /api/me/notifications/unread': { unread: 100 } });
  renderAt('/privacy');
  await bell('Notifications, 99+ unread');
});

test('opens a list; one that is followed is read and leads to its place, and Back to the page below', async () => {
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

test('one that leads to where one is already shows what is new there', async () => {
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

test('shows further pages, and marks all as read up to the latest that is shown', async () => {
  const { calls } = open([notification(3), notification(2), notification(1)], '/privacy#notifications');
  expect(await screen.findAllByRole('listitem')).not.toHaveLength(0);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByRole('link', { name: /night 1/ });
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ until: notification(3).at });
});

test('says what will stand there while there is nothing', async () => {
  open([], '/privacy#notifications');
  await screen.findByRole('heading', { name: 'Nothing yet' });
});

test('offers to try again when the list cannot be loaded', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({
    'GET /api/me/notifications/unread': { unread: 1 },
    'GET /api/me/notifications': () => problem(503, 'unavailable'),
  });
  renderAt('/privacy#notifications');
  await screen.findByText('The notifications could not be loaded');
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

test('each choice is saved at once, and one that is refused is taken back', async () => {
  sessionStore.set(sessionFixture());
  let isRefused = false;
  // As they are now: the link of a mail ended one since the page asked.
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
  expect(within(screen.getByRole('group', { name: 'Refunds' })).getByText('Always by mail')).toBeTruthy();
  await userEvent.click(box('Tickets sold for your events', 'By mail'));
  await userEvent.click(box('Answers to your comments', 'On the page'));
  const said = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  await waitFor(() =>
    expect(said()).toEqual([{ mail: { 'ticket-sold': true } }, { page: { 'comment-answered': false } }]),
  );
  await waitFor(() => expect(isChosen('Answers to your comments', 'By mail')).toBe(false));
  expect(isChosen('Tickets sold for your events', 'By mail')).toBe(true);
  expect(screen.queryByRole('checkbox', { name: 'On devices' })).toBeNull();
  isRefused = true;
  await userEvent.click(screen.getByRole('checkbox', { name: /One mail a day/ }));
  await screen.findByText('Not saved');
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /One mail a day/ }).checked).toBe(false),
  );
});

test('the link of a mail ends mails by a press, without signing in, and says when it is not whole', async () => {
  const calls = fakeApi({
    'POST /api/notifications/unsubscribe?token=7.ticket-sold.x': answer(204),
    'POST /api/notifications/unsubscribe': () => problem(400, 'invalid', { detail: 'This link is not whole.' }),
  });
  const { navigate } = renderAt('/unsubscribe#7.ticket-sold');
  const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Stop these mails' }));
  await screen.findByRole('heading', { name: 'Stop these mails?' });
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await press();
  await screen.findByText('This link is not whole.');
  act(() => navigate('/unsubscribe#7.ticket-sold.x'));
  await press();
  await screen.findByRole('heading', { name: 'You are unsubscribed' });
});
