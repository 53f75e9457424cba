import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const SITE = 'http://localhost:3000';
/** Maps cache name → path → response, in creation order, in which browsers list caches. */
const kept = new Map<string, Map<string, Response>>();
const pathOf = (request: Request | string) =>
  new URL(typeof request === 'string' ? request : request.url, SITE).pathname;

const caches = {
  open: async (name: string) => {
    const cache = kept.get(name) ?? new Map<string, Response>();
    kept.set(name, cache);
    return {
      addAll: async (requests: Request[]) => {
        const answers = await Promise.all(requests.map((request) => fetch(request)));
        if (answers.some(({ ok }) => !ok)) throw new TypeError('a file is not there');
        requests.forEach((request, at) => cache.set(pathOf(request), answers[at]!));
      },
    };
  },
  match: async (request: Request | string, { cacheName }: { cacheName?: string } = {}) =>
    [...kept]
      .filter(([name]) => !cacheName || name === cacheName)
      .map(([, cache]) => cache.get(pathOf(request)))
      .find((found) => found),
  keys: async () => [...kept.keys()],
  delete: async (name: string) => kept.delete(name),
};
const worker = { skipWaiting: vi.fn(), claim: vi.fn(), enablePreload: vi.fn() };

/** The notifications that were shown. `tabs` are open tabs, `opened` records URLs opened in new tabs. */
const notices: unknown[][] = [];
let tabs: Array<{ url: string; focus: () => Promise<unknown> }> = [];
const opened = vi.fn<(address: string) => void>();

const pushSubscription = (endpoint: string, options: unknown = { key: 'ours' }) => ({
  endpoint,
  options,
  toJSON: () => ({ endpoint, keys: { p256dh: `key of ${endpoint}`, auth: `secret of ${endpoint}` } }),
});

beforeAll(async () => {
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('SHELL', { version: 'new', files: ['/offline.html', '/assets/start-a1.js'] });
  vi.stubGlobal('skipWaiting', worker.skipWaiting);
  vi.stubGlobal('clients', {
    claim: worker.claim,
    matchAll: async () => tabs,
    openWindow: async (to: string) => opened(to),
  });
  vi.stubGlobal('registration', {
    navigationPreload: { enable: worker.enablePreload },
    showNotification: async (...notification: unknown[]) => void notices.push(notification),
    pushManager: { subscribe: async (options: unknown) => pushSubscription('https://push.example/again', options) },
  });
  await import('./service-worker.ts');
});

afterAll(() => vi.unstubAllGlobals());

let network: (request: Request) => Promise<Response>;
const shown = (text: string, status = 200) => new Response(text, { status });
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => {
  kept.clear();
  notices.length = 0;
  tabs = [];
  opened.mockClear();
  network = async (request) => shown(`from the server: ${pathOf(request)}`);
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', (request: Request) => network(request));
});
afterEach(() => {
  vi.useRealTimers();
});

/** Dispatches an event to the worker and awaits its `waitUntil` promises. */
async function send(type: string, more: object = {}): Promise<void> {
  const waits: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => waits.push(work);
  window.dispatchEvent(Object.assign(new Event(type), { waitUntil, ...more }));
  await Promise.all(waits);
}

/** Returns the worker's response, or undefined if it leaves the request to the browser. */
function ask(path: string, { mode = 'no-cors', method = 'GET', preloaded = undefined as Response | undefined } = {}) {
  let answer: Promise<Response> | undefined;
  const request = { url: new URL(path, SITE).href, method, mode };
  const respondWith = (work: Promise<Response>) => (answer = work);
  window.dispatchEvent(
    Object.assign(new Event('fetch'), { request, respondWith, preloadResponse: Promise.resolve(preloaded) }),
  );
  return answer;
}
const visit = (path: string, more = {}) => ask(path, { mode: 'navigate', ...more });
const text = async (answer: Promise<Response> | undefined) => (await answer!).clone().text();

test.each(['/', '/event/7', '/my-tickets', '/event/7?x=a.b'])(
  '%s comes from the server while it responds',
  async (path) => {
    await send('install');
    expect(await text(visit(path))).toBe(`from the server: ${new URL(path, SITE).pathname}`);
    expect(await text(visit(path, { preloaded: shown('asked for before') }))).toBe('asked for before');
  },
);

test('an error response of the server is passed through', async () => {
  await send('install');
  network = async () => shown('no such event', 404);
  expect((await visit('/event/99'))!.status).toBe(404);
});

test.each([502, 503, 504])('a proxy error %i shows the empty page', async (status) => {
  await send('install');
  network = async () => shown('Bad Gateway', status);
  expect(await text(visit('/my-tickets'))).toBe('from the server: /offline.html');
});

test('without a network the empty page is served, never an earlier response', async () => {
  await send('install');
  await visit('/event/7');
  network = noNetwork;
  expect(await text(visit('/event/7'))).toBe('from the server: /offline.html');
});

test('a network without a response for ten seconds counts as down', async () => {
  await send('install');
  vi.useFakeTimers();
  network = () => new Promise(() => undefined);
  let answer: string | undefined;
  void text(visit('/')).then((said) => (answer = said));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(answer).toBe('from the server: /offline.html');
});

test('if the empty page is missing, as after cache eviction, the browser shows its own error', async () => {
  network = noNetwork;
  await expect(visit('/')).rejects.toThrow('Failed to fetch');
});

test.each(['/api/events', '/api/tickets/my-tickets', '/media/images/a.webp', '/assets/other-b2.js', '/theme.css'])(
  'the worker never serves %s',
  async (path) => {
    await send('install');
    expect(ask(path)).toBeUndefined();
  },
);

test.each(['/api/events.ics', '/api/orders/1/tickets.pdf', '/sandbox/x', '/dev/mail', '/embed?q=jazz', '/sitemap.xml'])(
  'a navigation to %s is left to the browser',
  async (path) => {
    await send('install');
    expect(visit(path)).toBeUndefined();
  },
);

test('forms and other sites are left to the browser', async () => {
  await send('install');
  expect(visit('/auth', { method: 'POST' })).toBeUndefined();
  expect(ask('https://pictures.example/assets/start-a1.js')).toBeUndefined();
});

test('files of the shell open without a network', async () => {
  await send('install');
  network = noNetwork;
  expect(await text(ask('/assets/start-a1.js'))).toBe('from the server: /assets/start-a1.js');
});

test('an incomplete shell is not installed', async () => {
  worker.skipWaiting.mockClear();
  network = async (request) => shown('', pathOf(request) === '/assets/start-a1.js' ? 404 : 200);
  await expect(send('install')).rejects.toThrow();
  expect(worker.skipWaiting).not.toHaveBeenCalled();
});

test('a new release takes over immediately; only the previous shell stays, for pages that still run on it', async () => {
  for (const version of ['first', 'second', 'third'])
    kept.set(`beltway-shell-${version}`, new Map([[`/assets/${version}.js`, shown(version)]]));
  kept.set('of-somebody-else', new Map());
  worker.claim.mockClear();
  await send('install');
  await send('activate');
  expect([...kept.keys()]).toEqual(['beltway-shell-third', 'of-somebody-else', 'beltway-shell-new']);
  expect(worker.skipWaiting).toHaveBeenCalled();
  expect(worker.claim).toHaveBeenCalled();
  expect(worker.enablePreload).toHaveBeenCalled();
});

const push = (said: unknown) => send('push', { data: { json: () => said } });
const message = { title: 'Your 2 tickets', body: 'Fri, 7 PM', path: '/my-tickets', tag: 'n7' };

test('shows a push; a repeated push replaces the first', async () => {
  await push(message);
  expect(notices).toEqual([
    ['Your 2 tickets', { body: 'Fri, 7 PM', icon: '/icons/icon-192.png', data: { path: '/my-tickets' }, tag: 'n7' }],
  ]);
});

test('shows every push, as browsers require, even an unreadable push', async () => {
  await send('push', { data: null });
  await push('no message');
  await push({ title: 7, path: null });
  const broken = () => {
    throw new SyntaxError('not JSON');
  };
  await send('push', { data: { json: broken } });
  const plain = [
    'Beltway',
    { body: 'You have a new notification.', icon: '/icons/icon-192.png', data: { path: '/#notifications' } },
  ];
  expect(notices).toEqual([plain, plain, plain, plain]);
});

test('an unreadable push is shown in the browser’s language', async () => {
  const spoken = vi.spyOn(navigator, 'language', 'get').mockReturnValue('es-US');
  await push('no message');
  spoken.mockRestore();
  expect(notices).toMatchObject([['Beltway', { body: 'Tienes una notificación nueva.' }]]);
});

async function click(path: unknown) {
  const close = vi.fn();
  await send('notificationclick', { notification: { close, data: { path } } });
  expect(close).toHaveBeenCalledOnce();
}
const tab = (path: string, focus = async (): Promise<unknown> => ({})) => ({ url: SITE + path, focus: vi.fn(focus) });

test('a click focuses the tab that has the page open, and no other', async () => {
  const [buying, tickets] = [tab('/event/7'), tab('/my-tickets')];
  tabs = [buying, tickets];
  await click('/my-tickets');
  expect(tickets.focus).toHaveBeenCalledOnce();
  expect(buying.focus).not.toHaveBeenCalled();
  expect(opened).not.toHaveBeenCalled();
});

test('a click opens a new tab when no tab has the page open, or when that tab cannot be focused', async () => {
  tabs = [tab('/event/7')];
  await click('/my-tickets');
  tabs = [tab('/my-tickets', () => Promise.reject(new Error('not allowed')))];
  await click('/my-tickets');
  expect(opened.mock.calls).toEqual([[`${SITE}/my-tickets`], [`${SITE}/my-tickets`]]);
});

test.each(['https://evil.example/', '//evil.example/x', 'javascript:alert(1)', '\\\\evil.example', undefined, 7])(
  'a click on a notification for %s leads home, never to another site',
  async (path) => {
    await click(path);
    expect(opened.mock.calls).toEqual([[`${SITE}/`]]);
  },
);

describe('a browser with a new subscription', () => {
  const calls: Array<{ path: string; body: unknown }> = [];
  beforeEach(() => {
    calls.length = 0;
    vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
      calls.push({ path, body: JSON.parse(body as string) });
      return new Response(null, { status: 204 });
    });
  });
  const said = (endpoint: string) => [
    {
      path: '/api/push-subscriptions/renew',
      body: {
        endpoint: 'https://push.example/old',
        auth: 'secret of https://push.example/old',
        subscription: { endpoint, keys: { p256dh: `key of ${endpoint}`, auth: `secret of ${endpoint}` } },
      },
    },
  ];
  const oldSubscription = pushSubscription('https://push.example/old');

  test('sends the new subscription to the server, authorized by the secret of the old subscription', async () => {
    const newSubscription = pushSubscription('https://push.example/new');
    await send('pushsubscriptionchange', { oldSubscription, newSubscription });
    expect(calls).toEqual(said('https://push.example/new'));
  });

  test('subscribes again when the browser has no new subscription', async () => {
    await send('pushsubscriptionchange', { oldSubscription, newSubscription: null });
    expect(calls).toEqual(said('https://push.example/again'));
  });

  test('sends nothing when the old subscription is unknown', async () => {
    await send('pushsubscriptionchange', { newSubscription: pushSubscription('https://push.example/new') });
    expect(calls).toEqual([]);
  });
});
