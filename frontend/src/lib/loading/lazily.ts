import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { retry } from './retry.ts';

/** Thrown when a lazily loaded module is unavailable: there is no network, or a newer release replaced the file. */
export class CodeNotLoaded extends Error {
  override name = 'CodeNotLoaded';
}

/** True if the code did not load because the device is offline, which is not an error of the page. */
export const isForWantOfNetwork = (error: unknown): boolean =>
  error instanceof CodeNotLoaded && navigator.onLine === false;

/**
 * A component whose code is loaded on first render. Loading is retried three times, so that a short outage does not
 * break a page that is on screen. If every try fails, `otherwise` replaces the component until the page reloads;
 * without `otherwise` rendering throws `CodeNotLoaded`.
 */
// Props are checked where the component is used, so any type is accepted here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const lazily = <T extends ComponentType<any>>(
  load: () => Promise<T>,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  otherwise?: ComponentType<any>,
): LazyExoticComponent<T> =>
  lazy(async () => ({
    default: await retry(load).catch((error: unknown) => {
      if (!otherwise)
        throw new CodeNotLoaded('The code of this part of the page could not be loaded', { cause: error });
      return otherwise as T;
    }),
  }));

/** For `otherwise`: leaves an optional component out. */
export const nothing = (): null => null;
