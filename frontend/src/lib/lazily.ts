import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { retry } from './retry.ts';

/**
 * A component whose code is loaded when it is first rendered. Loading is retried three times: a short outage should not break a page
 * that is shown already. When it cannot be loaded, `otherwise` stands in its place until the page is loaded again; without one, what is
 * around it breaks down.
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
      if (!otherwise) throw error;
      return otherwise as T;
    }),
  }));

/** Stands for a part that is not missed. */
export const nothing = (): null => null;
