import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { again } from './again.ts';

/**
 * A component whose code is fetched when it is first shown. Asked for again, three times, when it does not arrive: the network
 * or the server may be gone for a moment, and a page that stands already should not break for that.
 */
// Props are checked where the component is used; here any will do.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const lazily = <T extends ComponentType<any>>(load: () => Promise<T>): LazyExoticComponent<T> =>
  lazy(async () => ({ default: await again(load) }));
