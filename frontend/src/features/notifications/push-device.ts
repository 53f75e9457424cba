import { queryOptions } from '@tanstack/react-query';
import { activeServiceWorker } from '../../lib/offline/service-worker.ts';
import { deletePushSubscription, putPushSubscription } from './api.ts';

/**
 * What this browser can do of web push. `when-installed`: iPhone and iPad, which offer it to apps of the Home Screen alone. `blocked`: the
 * person said no to it, and only the browser's settings change that. `endpoint`: its subscription for our server's key, if it has one.
 */
export type PushDevice = { can: 'no' | 'when-installed' | 'blocked' } | { can: 'yes'; endpoint: string | null };

function isAppleMobile(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  // An iPad says that it is a Mac; no Mac has a touch screen.
  return /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
}

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Whether a subscription is for this key of the server: for another one nothing reaches it any more. */
function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return bytesOf(publicKey).toString() === key.toString();
}

async function look(publicKey: string): Promise<PushDevice> {
  if (!isSupported()) return { can: isAppleMobile() ? 'when-installed' : 'no' };
  if (Notification.permission === 'denied') return { can: 'blocked' };
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return { can: 'yes', endpoint: subscription && isFor(subscription, publicKey) ? subscription.endpoint : null };
}

/** Asked again whenever the page is looked at: settings of the browser are changed elsewhere. */
export const pushDeviceQuery = (publicKey: string) =>
  queryOptions({
    queryKey: ['push-device', publicKey],
    queryFn: () => look(publicKey),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/**
 * Asks the person and the browser, and tells the server. Without the person's yes nothing changes. Rejects where the browser or the server
 * refuses.
 */
export async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { pushManager } = await activeServiceWorker();
  const old = await pushManager.getSubscription();
  if (old && !isFor(old, publicKey)) {
    await deletePushSubscription(old.endpoint);
    await old.unsubscribe();
  }
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
  const { endpoint, keys } = subscription.toJSON();
  await putPushSubscription({ endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! } });
}

/** The server first: what it does not send any more needs no browser that refuses it. */
export async function turnOff(endpoint: string): Promise<void> {
  await deletePushSubscription(endpoint);
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
