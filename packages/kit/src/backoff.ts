/** Pauses that double, from `firstMs` to `maxMs`: how long to wait after so many failures in a row, one at least. */
export const backoff =
  (firstMs: number, maxMs: number) =>
  (failures: number): number =>
    Math.min(firstMs * 2 ** (failures - 1), maxMs);
