/**
 * An item that has waited this long is sent even if `concurrency` batches are in progress, because a hanging batch must
 * not block other batches.
 */
const LATE_MS = 50;

export interface BatcherOptions {
  /** Maximum number of concurrent batches while batches are fast. If it is a function, it is called each time. */
  concurrency: number | (() => number);
  /** Maximum number of concurrent batches while batches are slow. */
  maxConcurrency: number;
  /** Maximum number of items per batch. */
  maxItems: number;
  /** Maximum total size of a batch; a larger item is sent alone. */
  maxSize?: number;
  /** Number of results delivered per event-loop turn. Default: all. */
  resultsPerTurn?: number;
  /**
   * True if each item should be sent alone after this error of its batch. Default: all items are rejected with the
   * error.
   */
  retryEach?: (error: unknown) => boolean;
}

export interface Batcher<Item, Result> {
  /**
   * `byItself`: sends the item immediately and alone, because the item may take long. `size` counts toward `maxSize`.
   */
  add(item: Item, byItself?: boolean, size?: number): Promise<Result>;
  waiting(): number;
  /** Rejects waiting items with this error. Items that were already sent get their results. */
  close(why: Error): void;
}

interface WaitingItem<Item, Result> {
  item: Item;
  size: number;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Items that arrive during a batch are sent together in the next batch. `send` receives the items in order and returns
 * one result per item. There is no batching delay: a single item is sent in the same event-loop turn. An item that has
 * waited for 50 ms is sent if fewer than `maxConcurrency` batches are in progress.
 */
export function batcher<Item, Result>(
  send: (items: Item[]) => Promise<Result[]>,
  options: BatcherOptions,
): Batcher<Item, Result> {
  const { maxConcurrency, maxItems, maxSize = Infinity, resultsPerTurn = Infinity, retryEach = () => false } = options;
  const concurrency = (): number =>
    typeof options.concurrency === 'function' ? options.concurrency() : options.concurrency;
  let queue: Array<WaitingItem<Item, Result>> = [];
  let underWay = 0;
  let next: NodeJS.Immediate | undefined;
  let late: NodeJS.Timeout | undefined;

  /** Takes the first items of the queue that fit into one batch. */
  function nextBatch(): Array<WaitingItem<Item, Result>> {
    let count = 0;
    let size = 0;
    while (count < queue.length && count < maxItems) {
      size += queue[count]!.size;
      if (count > 0 && size > maxSize) break;
      count++;
    }
    return queue.splice(0, count);
  }

  /** Sends after all arrivals of this event-loop turn have been added. */
  function sendSoon(): void {
    next ??= setImmediate(() => {
      next = undefined;
      while (queue.length > 0 && underWay < concurrency()) void run(nextBatch());
      if (queue.length > 0) sendLate();
    });
  }

  function sendLate(): void {
    late ??= setTimeout(() => {
      late = undefined;
      const [first] = queue;
      if (first && underWay < maxConcurrency && performance.now() - first.since >= LATE_MS) void run(nextBatch());
      if (queue.length > 0) sendLate();
    }, LATE_MS);
  }

  async function run(batch: Array<WaitingItem<Item, Result>>): Promise<void> {
    underWay++;
    try {
      await sendBatch(batch);
    } catch (error) {
      if (batch.length > 1 && retryEach(error)) for (const one of batch) await sendBatch([one]).catch(one.reject);
      else batch.forEach(({ reject }) => reject(error));
    }
    underWay--;
    if (queue.length > 0) sendSoon();
  }

  async function sendBatch(batch: Array<WaitingItem<Item, Result>>): Promise<void> {
    const results = await send(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
    for (const [index, { resolve }] of batch.entries()) {
      if (index > 0 && index % resultsPerTurn === 0) await nextTurn();
      resolve(results[index]!);
    }
  }

  return {
    add: (item, byItself = false, size = 0) =>
      new Promise((resolve, reject) => {
        const one = { item, size, since: performance.now(), resolve, reject };
        if (byItself) return void run([one]);
        queue.push(one);
        sendSoon();
      }),
    waiting: () => queue.length,
    close(why) {
      clearImmediate(next);
      clearTimeout(late);
      for (const { reject } of queue) reject(why);
      queue = [];
    },
  };
}
