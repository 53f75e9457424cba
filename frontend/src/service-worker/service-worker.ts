/// <reference lib="webworker" />
// Opens the page without a network (docs/decisions/0047). It caches only the page's own files. It serves no API
// response, picture or server-rendered page, so that a visitor never gets stale prices or stock, or another account's
// personal data. The page itself stores the tickets (lib/offline/kept-tickets.ts). It also shows the notifications that
// the server pushes (docs/decisions/0073).
import type { PushMessage, PushRenewalBody } from '@beltway/contracts/realtime/notifications';

/** Inserted by the build (vite.config.ts): the shell's files and a digest of them. */
declare const SHELL: { version: string; files: string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;

const PREFIX = 'beltway-shell-';
const CACHE = PREFIX + SHELL.version;
/** The page without content, returned for a navigation when the server does not respond. */
const OFFLINE = '/offline.html';
const FILES = new Set(SHELL.files);

/** Milliseconds without a response after which the network counts as down. */
const SILENT_MS = 10_000;
/** Statuses with which a proxy reports that there is no upstream server. */
const NOBODY = new Set([502, 503, 504]);
/** Navigations that the shell cannot render, because they lead to files and other programs. */
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
  // The offline page's name has no digest, so the browser's HTTP cache may be stale.
  await cache.addAll(SHELL.files.map((path) => new Request(path, path === OFFLINE ? { cache: 'reload' } : {})));
}

/** Keeps the previous shell for pages that still run on it and deletes older ones. */
async function takeOver(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
  // With preload, the browser requests the page while this worker is still starting.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/**
 * Returns the server's page, or the empty page if there is no response. The empty page shows that the network is down.
 */
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

/** Files with a digest in their name never change, so the cached copy is current. */
const file = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

/**
 * Shown for a push that this release cannot read, because browsers require a notification for every push. The language
 * is the browser's, because the worker does not know the page's choice.
 */
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
    // A repeated push replaces its first notification.
    ...(tag !== '' && { tag }),
  });

/** The URL of a page of this site. Anything else becomes the home page. */
function ownAddress(path: unknown): string {
  const home = worker.location.origin;
  const address = typeof path === 'string' && URL.canParse(path, home) ? new URL(path, home) : new URL(home);
  return address.origin === home ? address.href : new URL(home).href;
}

/** Focuses the tab that has the page open, or opens a new tab. Navigating another tab could interrupt a payment. */
async function openPage(address: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === address);
  // Opens a new tab if the browser refuses the focus.
  const shown = await tab?.focus().catch(() => undefined);
  if (!shown) await worker.clients.openWindow(address);
}

/** Missing in TypeScript's lib.dom. */
interface PushSubscriptionChangeEvent extends ExtendableEvent {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/** Sends the server the new subscription after the browser replaced or dropped the old subscription. */
async function renew({ oldSubscription: old, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const auth = old?.toJSON().keys?.['auth'];
  // Without the old keys the account is unknown. The account page then shows push as off, and the user can turn it on
  // again.
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
