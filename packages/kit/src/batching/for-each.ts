/** Runs `work` for each item, `concurrency` at a time: a slow item delays no other. Reads the next item only when it is needed. */
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
