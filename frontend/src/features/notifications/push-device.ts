import { queryOptions } from '@tanstack/react-query';
import { activeServiceWorker } from '../../lib/offline/service-worker.ts';
import { deletePushSubscription, putPushSubscription } from './api.ts';

/**
 * This browser's support for web push. `when-installed`: iPhone and iPad offer web push only to Home Screen apps.
 * `blocked`: the person refused, which only the browser's settings can undo. `endpoint`: the browser's subscription for
 * our server's key, or null.
 */
export type PushDevice = { can: 'no' | 'when-installed' | 'blocked' } | { can: 'yes'; endpoint: string | null };

function isAppleMobile(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  return /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1);
}

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Whether a subscription is for this key of the server. A subscription for another key receives no pushes. */
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

/** Refetched when the page gets the focus, because the person may have changed the browser's settings. */
export const pushDeviceQuery = (publicKey: string) =>
  queryOptions({
    queryKey: ['push-device', publicKey],
    queryFn: () => look(publicKey),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/**
 * Asks for permission, subscribes in the browser, then registers with the server. Does nothing without permission.
 * Rejects if the browser or the server refuses.
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

/**
 * Unregisters with the server first: once the server sends nothing, a failure to unsubscribe in the browser does no
 * harm.
 */
export async function turnOff(endpoint: string): Promise<void> {
  await deletePushSubscription(endpoint);
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
