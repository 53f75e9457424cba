/// <reference lib="webworker" />
// Opens the page where there is no network (docs/decisions/0047). It keeps the page's own files and nothing else: no
// answer of the API, no picture and no page that the server rendered is ever shown from here, so that no price, no stock
// and nobody's data can be old or another's. Tickets are kept by the page itself (lib/kept-tickets.ts).
/** Written here by the build (vite.config.ts): the shell's files, and a digest of them. */
declare const SHELL: { version: string; files: string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;

const PREFIX = 'beltway-shell-';
const CACHE = PREFIX + SHELL.version;
/** The page without any content: what a navigation gets when there is no answer. */
const OFFLINE = '/offline.html';
const FILES = new Set(SHELL.files);

/** A network that says nothing for this long is none. In milliseconds. */
const SILENT_MS = 10_000;
/** A proxy's words for: there is nobody behind me. */
const NOBODY = new Set([502, 503, 504]);
/** Navigations to files and to other programs; what is no page of ours has no shell. */
const NO_PAGE = /^\/(api|media|sandbox|dev|embed|socket\.io)(\/|$)|\.\w{1,12}$/;

worker.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (!NO_PAGE.test(pathname)) event.respondWith(page(event));
  } else if (FILES.has(pathname)) event.respondWith(file(request));
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  // The page itself has no digest in its name: never from the browser's cache.
  await cache.addAll(SHELL.files.map((path) => new Request(path, path === OFFLINE ? { cache: 'reload' } : {})));
}

/** The shell before this one stays for the pages that are open with it; older ones go. */
async function takeOver(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
  // A page is asked for while this worker still starts.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** A page is the server's; only without an answer it is the empty one, which says so itself. */
async function page(event: FetchEvent): Promise<Response> {
  const shell = async () => caches.match(OFFLINE, { cacheName: CACHE });
  const preloaded = event.preloadResponse as Promise<Response | undefined>;
  const answered = preloaded.then((answer) => answer ?? fetch(event.request));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENT_MS);
  });
  try {
    const answer = await Promise.race([answered, silent]);
    if (answer && !NOBODY.has(answer.status)) return answer;
    return (await shell()) ?? (await answered);
  } catch (error) {
    const kept = await shell();
    if (kept) return kept;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Files with a digest in their name never change: the kept ones are as good as the server's. */
const file = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

// A module for TypeScript; the build leaves nothing of it.
export {};
