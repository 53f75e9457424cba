import { unavailable } from '@beltway/kit/problems';

/**
 * At most `maxConcurrent` calls to the provider at a time; one more is refused at once with 503. A slow provider so costs us these few
 * calls, not every request of the service.
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
