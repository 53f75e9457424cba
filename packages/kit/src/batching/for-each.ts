/**
 * Runs `work` for each item, `concurrency` items at a time, so that a slow item does not delay other items. Reads items
 * lazily.
 */
export async function forEach<Item>(
  items: AsyncGenerator<Item>,
  concurrency: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
    }),
  );
}
