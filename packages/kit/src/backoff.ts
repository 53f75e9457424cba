/** Exponential backoff from `firstMs` to `maxMs`. `failures`: the number of failures in a row, at least 1. */
export const backoff =
  (firstMs: number, maxMs: number) =>
  (failures: number): number =>
    Math.min(firstMs * 2 ** (failures - 1), maxMs);
