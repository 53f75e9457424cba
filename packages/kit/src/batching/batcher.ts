/** An item that has waited so long is sent even while `concurrency` batches are under way: one that hangs must not block the others. */
const LATE_MS = 50;

export interface BatcherOptions {
  /** Batches under way at once, while they are answered soon; a function is asked anew each time. */
  concurrency: number | (() => number);
  /** Batches under way at once, while they are slow. */
  maxConcurrency: number;
  /** Items in a batch. */
  maxItems: number;
  /** Sum of the sizes in a batch; a larger item goes by itself. */
  maxSize?: number;
  /** Results that are handed out in one turn of the event loop; the others in the turns after it. Default: all. */
  resultsPerTurn?: number;
  /** After this fault of a batch of several: is each item to be sent by itself? Default: all are rejected with it. */
  retryEach?: (error: unknown) => boolean;
}

export interface Batcher<Item, Result> {
  /** `byItself`: at once and in no batch, since it may take long. `size` counts towards `maxSize`. */
  add(item: Item, byItself?: boolean, size?: number): Promise<Result>;
  waiting(): number;
  /** Rejects what waits with this. What is under way gets its result. */
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
 * Items that arrive while a batch is under way are sent together in the next one. `send` takes them in order and gives as many results.
 * There is no timer for the first: a single item is sent in the same turn of the event loop. An item that has waited for 50 ms is sent
 * while fewer than `maxConcurrency` batches are under way.
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

  /** The first items of the queue that fit into one batch. */
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

  /** Sends after everything that arrives in this turn of the event loop has been added. */
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
