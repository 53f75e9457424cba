/** In milliseconds: so long an installation may take until somebody who waits for it is told that there is none. */
const READY_MS = 15_000;

/** The registration of our service worker. Rejects where the browser refuses (private mode, a full disk, development). */
export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });

/** The same once a worker is active: `ready` alone would wait for one for ever. */
export async function activeServiceWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The browser did not finish to prepare this page.')), READY_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]).finally(() => clearTimeout(timer));
}
