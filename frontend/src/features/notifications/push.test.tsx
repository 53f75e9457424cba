import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NotificationKind } from '@beltway/contracts/realtime/notifications';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, problem, type FakeCall } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

// Loads the modules again, so that this file does not use the module-level socket of another test file.
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

/** A fake browser with web push: its permission, the person's answer to the prompt, and its subscription. */
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

/** Opens the page with a fake server and its registered endpoints. */
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

test('is turned on and off by keyboard, for both the server and the browser', async () => {
  const { known, calls } = open({ endpoints: ['https://push.example/phone'] });
  await screen.findByText(/One other device also shows them/);
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

test('without permission nothing is registered; after a refusal the page shows where to change it', async () => {
  browser.says = 'default';
  const { calls } = open();
  await userEvent.click(await here());
  await isOn(false);
  browser.says = 'denied';
  await userEvent.click(await here());
  await screen.findByText(/Notifications are blocked/);
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a browser without web push gets a note that the browser does not support it', async () => {
  Reflect.deleteProperty(window, 'PushManager');
  open();
  await screen.findByText('This browser can’t show notifications while Beltway is closed.');
  expect(screen.queryByRole('checkbox', { name: /on this device/ })).toBeNull();
});

test('an iPhone gets a note that the installed app supports web push', async () => {
  Reflect.deleteProperty(window, 'PushManager');
  has('userAgent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  open();
  await screen.findByText(/Choose Share, then ‘Add to Home Screen’/);
});

test('a refusal of the server is shown, and web push stays off', async () => {
  open({ isRefused: true });
  await userEvent.click(await here());
  await screen.findByText('Not changed');
  await isOn(false);
});

test('a subscription of another account or server key counts as off; turning push on creates a new one', async () => {
  browser.subscription = subscription(bytes('AAAA'), 'https://push.example/old');
  const { known } = open({ endpoints: ['https://push.example/old'] });
  await isOn(false);
  await userEvent.click(await here());
  await waitFor(() => expect([...known]).toEqual(['https://push.example/1']));
  await isOn(true);
});

test('in a browser that another account used, web push is off until this account turns it on', async () => {
  browser.subscription = subscription(bytes(OUR_KEY), 'https://push.example/shared');
  open({ endpoints: [] });
  await isOn(false);
});

test('each kind of notification is chosen for all devices together', async () => {
  const { calls } = open();
  await userEvent.click((await screen.findAllByRole('checkbox', { name: 'Push' }))[0]!);
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ push: { 'ticket-bought': false } }),
  );
});

test('if the server has no web push, there is no choice for devices', async () => {
  const { calls } = open({ publicKey: null });
  await screen.findByRole('group', { name: 'Refunds' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/me/push-subscriptions')).toBe(true));
  expect(screen.queryByRole('checkbox', { name: 'Push' })).toBeNull();
  expect(screen.queryByText(/this device|This browser/)).toBeNull();
});
