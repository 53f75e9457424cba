import { unavailable } from '@beltway/kit/problems';

/**
 * Bounds concurrent calls to the provider; refuses further calls immediately with 503. A slow provider then blocks at
 * most `maxConcurrent` calls, not every request of the service.
 */
export function bulkhead(maxConcurrent: number) {
  let underWay = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (underWay >= maxConcurrent) throw unavailable('too-many-payments', 1);
    underWay++;
    try {
      return await call();
    } finally {
      underWay--;
    }
  };
}
