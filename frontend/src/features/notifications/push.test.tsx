import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NotificationKind } from '@beltway/contracts/realtime/notifications';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

// A new page load: tests of another file may have opened the page's one connection, and are not to find this one.
vi.resetModules();
const { sessionStore } = await import('../../lib/storage/session-store.ts');
const { renderAt } = await import('../../testing/render.tsx');
afterAll(() => void vi.resetModules());

const OUR_KEY = 'BAAB_-';
const bytes = (text: string) => Uint8Array.from(atob(text.replace('_', '/').replace('-', '+')), (c) => c.charCodeAt(0));
const kinds = Object.fromEntries(NotificationKind.options.map((kind) => [kind, true]));
const CHOSEN = {
  page: kinds,
  mail: { 'ticket-sold': false, 'organizer-published': false, 'search-matched': false, 'comment-answered': false },
  push: kinds,
  isDaily: false,
};

/** A browser that knows web push: its permission, what the person says when asked, and its subscription. */
const browser = {
  permission: 'default' as NotificationPermission,
  says: 'granted' as NotificationPermission,
  subscription: null as Subscription | null,
  made: 0,
};
interface Subscription {
  endpoint: string;
  options: { applicationServerKey: ArrayBufferLike };
  toJSON: () => object;
  unsubscribe: () => Promise<boolean>;
}
function subscription(key: Uint8Array, endpoint = `https://push.example/${++browser.made}`): Subscription {
  return {
    endpoint,
    options: { applicationServerKey: key.buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' }, expirationTime: null }),
    unsubscribe: async () => {
      browser.subscription = null;
      return true;
    },
  };
}
const registration = {
  pushManager: {
    getSubscription: async () => browser.subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) =>
      (browser.subscription = subscription(applicationServerKey)),
  },
};
const worker = {
  register: async () => registration,
  getRegistration: async () => registration,
  ready: Promise.resolve(registration),
};
const has = (name: string, value: unknown) => Object.defineProperty(navigator, name, { value, configurable: true });

beforeEach(() => {
  Object.assign(browser, { permission: 'default', says: 'granted', subscription: null, made: 0 });
  has('serviceWorker', worker);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: async () => (browser.permission = browser.says),
  });
});
afterEach(() => {
  for (const name of ['serviceWorker', 'userAgent']) Reflect.deleteProperty(navigator, name);
  vi.unstubAllGlobals();
  sessionStore.clear();
});

/** The server, with the browsers that it knows. */
function open({ endpoints = [] as string[], isRefused = false, publicKey = OUR_KEY as string | null } = {}) {
  sessionStore.set(sessionFixture());
  const known = new Set(endpoints);
  const endpointOf = ({ body }: FakeCall) => (body as { endpoint: string }).endpoint;
  const calls = fakeApi({
    'GET /api/me/notifications/unread': { unread: 0 },
    'GET /api/me/notification-preferences': CHOSEN,
    'PATCH /api/me/notification-preferences': CHOSEN,
    'GET /api/me/push-subscriptions': () => ({ publicKey, endpoints: [...known] }),
    'PUT /api/me/push-subscriptions': (call: FakeCall) => {
      if (isRefused) return problem(503, 'unavailable');
      known.add(endpointOf(call));
      return answer(204);
    },
    'DELETE /api/me/push-subscriptions': (call: FakeCall) => {
      known.delete(endpointOf(call));
      return answer(204);
    },
  });
  renderAt('/account');
  return { known, calls };
}
const here = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /on this device/ });
const isOn = async (wanted: boolean) => waitFor(async () => expect((await here()).checked).toBe(wanted));

test('is turned on and off by keyboard; the server and the browser know of it', async () => {
  const { known, calls } = open({ endpoints: ['https://push.example/phone'] });
  await screen.findByText(/One other device shows them too/);
  (await here()).focus();
  await userEvent.keyboard(' ');
  await waitFor(() => expect(known.has('https://push.example/1')).toBe(true));
  await isOn(true);
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p', auth: 'a' },
  });
  expect(browser.subscription).not.toBeNull();
  (await here()).focus();
  await userEvent.keyboard(' ');
  await waitFor(() => expect([...known]).toEqual(['https://push.example/phone']));
  await isOn(false);
  expect(browser.subscription).toBeNull();
});

test('a person who says no, or nothing, is told of nothing; after a no it says where to change that', async () => {
  browser.says = 'default';
  const { calls } = open();
  await userEvent.click(await here());
  await isOn(false);
  browser.says = 'denied';
  await userEvent.click(await here());
  await screen.findByText(/This browser blocks notifications of Beltway/);
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('says so where the browser lacks it, and on iPhone what helps', async () => {
  Reflect.deleteProperty(window, 'PushManager');
  open();
  await screen.findByText('This browser cannot show notifications while Beltway is closed.');
  expect(screen.queryByRole('checkbox', { name: /on this device/ })).toBeNull();
});

test('says on iPhone that the installed app can', async () => {
  Reflect.deleteProperty(window, 'PushManager');
  has('userAgent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  open();
  await screen.findByText(/choose Share, then ‘Add to Home Screen’/);
});

test('what the server refuses is said, and is off', async () => {
  open({ isRefused: true });
  await userEvent.click(await here());
  await screen.findByText('Not changed');
  await isOn(false);
});

test('a subscription of another account, or for another key of the server, is off; turning it on takes a new one', async () => {
  browser.subscription = subscription(bytes('AAAA'), 'https://push.example/old');
  const { known } = open({ endpoints: ['https://push.example/old'] });
  await isOn(false);
  await userEvent.click(await here());
  await waitFor(() => expect([...known]).toEqual(['https://push.example/1']));
  await isOn(true);
});

test('a browser that another account used is off until this one asks', async () => {
  browser.subscription = subscription(bytes(OUR_KEY), 'https://push.example/shared');
  open({ endpoints: [] });
  await isOn(false);
});

test('each kind is chosen for all devices', async () => {
  const { calls } = open();
  await userEvent.click((await screen.findAllByRole('checkbox', { name: 'On devices' }))[0]!);
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ push: { 'ticket-bought': false } }),
  );
});

test('where the server sends none there is nothing to choose', async () => {
  const { calls } = open({ publicKey: null });
  await screen.findByRole('group', { name: 'Refunds' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/me/push-subscriptions')).toBe(true));
  expect(screen.queryByRole('checkbox', { name: 'On devices' })).toBeNull();
  expect(screen.queryByText(/this device|This browser/)).toBeNull();
});
