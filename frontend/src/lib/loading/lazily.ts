import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { retry } from './retry.ts';

/** The code of a part of the page could not be loaded: there is no network, or a newer release. */
export class CodeNotLoaded extends Error {
  override name = 'CodeNotLoaded';
}

/** Without a network that is no fault of the page. */
export const isForWantOfNetwork = (error: unknown): boolean =>
  error instanceof CodeNotLoaded && navigator.onLine === false;

/**
 * A component whose code is loaded when it is first rendered. Loading is retried three times: a short outage should not break a page
 * that is shown already. When it cannot be loaded, `otherwise` stands in its place until the page is loaded again; without one, what is
 * around it breaks down by `CodeNotLoaded`.
 */
// Props are checked where the component is used; here any will do.
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

/** Stands for a part that is not missed. */
export const nothing = (): null => null;
