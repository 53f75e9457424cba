import type { PoolClient } from 'pg';

type Transaction = Pick<PoolClient, 'query'>;

const waiting = new WeakMap<Transaction, Array<() => void>>();

/**
 * Calls `work` after the transaction of `tx` has committed and its writes are visible. Does not call `work` after a
 * rollback.
 */
export function afterCommit(tx: Transaction, work: () => void): void {
  const more = waiting.get(tx);
  if (more) more.push(work);
  else waiting.set(tx, [work]);
}

/** Must be called by code that runs transactions when a transaction has ended. */
export function transactionEnded(tx: Transaction, isCommitted: boolean): void {
  const all = waiting.get(tx) ?? [];
  waiting.delete(tx);
  if (isCommitted) for (const work of all) work();
}
