import type { PoolClient } from 'pg';

type Transaction = Pick<PoolClient, 'query'>;

const waiting = new WeakMap<Transaction, Array<() => void>>();

/** Calls `work` when the transaction of `tx` is committed: what it wrote can be seen by then. Never, when it is rolled back. */
export function afterCommit(tx: Transaction, work: () => void): void {
  const more = waiting.get(tx);
  if (more) more.push(work);
  else waiting.set(tx, [work]);
}

/** For who runs transactions: this one has ended. */
export function transactionEnded(tx: Transaction, isCommitted: boolean): void {
  const all = waiting.get(tx) ?? [];
  waiting.delete(tx);
  if (isCommitted) for (const work of all) work();
}
