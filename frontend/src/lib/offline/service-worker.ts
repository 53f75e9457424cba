/** Milliseconds after which the installation counts as failed. */
const READY_MS = 15_000;

/** Registers our service worker. Rejects if the browser refuses (private mode, a full disk, development). */
export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });

/** Resolves once a worker is active; rejects after `READY_MS`, because `ready` may never settle. */
export async function activeServiceWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The browser did not finish to prepare this page.')), READY_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]).finally(() => clearTimeout(timer));
}
