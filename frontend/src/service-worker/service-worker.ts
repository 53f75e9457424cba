/// <reference lib="webworker" />
// Opens the page where there is no network (docs/decisions/0047). It keeps the page's own files and nothing else: no
// answer of the API, no picture and no page that the server rendered is ever shown from here, so that no price, no stock
// and nobody's data can be old or another's. Tickets are kept by the page itself (lib/offline/kept-tickets.ts).
// It also shows the notifications that the server pushes (docs/decisions/0073).
import type { PushMessage, PushRenewalBody } from '@beltway/contracts/realtime/notifications';

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

worker.addEventListener('push', (event) => {
  event.waitUntil(show(messageOf(event.data)));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(ownAddress((event.notification.data as { path?: unknown } | null)?.path)));
});
worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event as PushSubscriptionChangeEvent));
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

/** Browsers want every push to be shown: one of another release is, without its words; the page's choice is not known here. */
const unreadable = (): PushMessage => ({
  title: 'Beltway',
  body: /^es\b/.test(navigator.language) ? 'Tienes una notificación nueva.' : 'You have a new notification.',
  path: '/#notifications',
  tag: '',
});

function messageOf(data: PushMessageData | null): PushMessage {
  const otherwise = unreadable();
  try {
    const said = data?.json() as Partial<Record<keyof PushMessage, unknown>> | undefined;
    const text = (key: keyof PushMessage): string =>
      typeof said?.[key] === 'string' && said[key] !== '' ? said[key] : otherwise[key];
    return { title: text('title'), body: text('body'), path: text('path'), tag: text('tag') };
  } catch {
    return otherwise;
  }
}

const show = ({ title, body, path, tag }: PushMessage): Promise<void> =>
  worker.registration.showNotification(title, {
    body,
    icon: '/icons/icon-192.png',
    data: { path },
    // The same one told again takes the place of the first.
    ...(tag !== '' && { tag }),
  });

/** The address of one of our own pages; the home page in place of anything else. */
function ownAddress(path: unknown): string {
  const home = worker.location.origin;
  const address = typeof path === 'string' && URL.canParse(path, home) ? new URL(path, home) : new URL(home);
  return address.origin === home ? address.href : new URL(home).href;
}

/** In the tab that has it already, else in a new one: nobody is led away from a page where they may be paying. */
async function openPage(address: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === address);
  // A browser that does not let it come to the front opens a new one.
  const shown = await tab?.focus().catch(() => undefined);
  if (!shown) await worker.clients.openWindow(address);
}

/** Of lib.dom, where TypeScript does not have it. */
interface PushSubscriptionChangeEvent extends ExtendableEvent {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/** The browser has another subscription than before, or none: the server is told where it is reached now. */
async function renew({ oldSubscription: old, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const auth = old?.toJSON().keys?.['auth'];
  // Whose it was is not known then: the account's page shows it as off, and turns it on again.
  if (!old || auth === undefined) return;
  const now = newSubscription ?? (await worker.registration.pushManager.subscribe(old.options));
  const { endpoint, keys } = now.toJSON();
  const body = {
    endpoint: old.endpoint,
    auth,
    subscription: { endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! } },
  } satisfies PushRenewalBody;
  await fetch('/api/push-subscriptions/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'beltway' },
    body: JSON.stringify(body),
  });
}
