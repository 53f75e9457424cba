import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { retry } from './retry.ts';

/**
 * A component whose code is loaded when it is first rendered. Loading is retried three times: a short outage should not break a page
 * that is shown already.
 */
// Props are checked where the component is used; here any will do.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const lazily = <T extends ComponentType<any>>(load: () => Promise<T>): LazyExoticComponent<T> =>
  lazy(async () => ({ default: await retry(load) }));
