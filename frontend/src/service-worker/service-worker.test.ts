import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const SITE = 'http://localhost:3000';
/** Name of a cache → address → what is kept. In the order in which they were made, as browsers list them. */
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

beforeAll(async () => {
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('SHELL', { version: 'new', files: ['/offline.html', '/assets/start-a1.js'] });
  vi.stubGlobal('skipWaiting', worker.skipWaiting);
  vi.stubGlobal('clients', { claim: worker.claim });
  vi.stubGlobal('registration', { navigationPreload: { enable: worker.enablePreload } });
  await import('./service-worker.ts');
});

afterAll(() => vi.unstubAllGlobals());

let network: (request: Request) => Promise<Response>;
const shown = (text: string, status = 200) => new Response(text, { status });
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => {
  kept.clear();
  network = async (request) => shown(`from the server: ${pathOf(request)}`);
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', (request: Request) => network(request));
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends an event to the worker and waits for what it asked to wait for. */
async function send(type: 'install' | 'activate'): Promise<void> {
  const waits: Promise<unknown>[] = [];
  window.dispatchEvent(Object.assign(new Event(type), { waitUntil: (work: Promise<unknown>) => waits.push(work) }));
  await Promise.all(waits);
}

/** What the worker answers; undefined when it leaves the request to the browser. */
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

test.each(['/', '/event/7', '/my-tickets', '/event/7?x=a.b'])('%s is the server’s while it answers', async (path) => {
  await send('install');
  expect(await text(visit(path))).toBe(`from the server: ${new URL(path, SITE).pathname}`);
  expect(await text(visit(path, { preloaded: shown('asked for before') }))).toBe('asked for before');
});

test('an error of the page’s own is shown as it is', async () => {
  await send('install');
  network = async () => shown('no such event', 404);
  expect((await visit('/event/99'))!.status).toBe(404);
});

test.each([502, 503, 504])('a proxy that answers %i for nobody gives way to the empty page', async (status) => {
  await send('install');
  network = async () => shown('Bad Gateway', status);
  expect(await text(visit('/my-tickets'))).toBe('from the server: /offline.html');
});

test('without a network the empty page comes, and never one that was shown before', async () => {
  await send('install');
  await visit('/event/7');
  network = noNetwork;
  expect(await text(visit('/event/7'))).toBe('from the server: /offline.html');
});

test('a network that says nothing for ten seconds is none', async () => {
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

test('without the empty page, as when the browser made room, its own error is shown', async () => {
  network = noNetwork;
  await expect(visit('/')).rejects.toThrow('Failed to fetch');
});

test.each(['/api/events', '/api/tickets/my-tickets', '/media/images/a.webp', '/assets/other-b2.js', '/theme.css'])(
  'what is asked for at %s never comes from here',
  async (path) => {
    await send('install');
    expect(ask(path)).toBeUndefined();
  },
);

test.each(['/api/events.ics', '/api/orders/1/tickets.pdf', '/sandbox/x', '/dev/mail', '/embed?q=jazz', '/sitemap.xml'])(
  'going to %s is left to the browser',
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

test('a shell that does not come whole is not installed', async () => {
  worker.skipWaiting.mockClear();
  network = async (request) => shown('', pathOf(request) === '/assets/start-a1.js' ? 404 : 200);
  await expect(send('install')).rejects.toThrow();
  expect(worker.skipWaiting).not.toHaveBeenCalled();
});

test('a new release takes over at once; of old ones the last stays, for pages that are open with it', async () => {
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
