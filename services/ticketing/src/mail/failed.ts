import type { Queryable } from '@beltway/kit/postgres';

/** A mail that was given up, after as many attempts as `worker.ts` makes. */
export interface FailedMail {
  orderId: string;
  kind: string;
  lastError: string | null;
  createdAt: Date;
}

/** What was given up, oldest first. */
export async function failedMails(db: Queryable): Promise<FailedMail[]> {
  const { rows } = await db.query<FailedMail>(
    `select order_id as "orderId", kind, last_error as "lastError", created_at as "createdAt" from mails where status = 'failed' order by created_at`,
  );
  return rows;
}

/** Lets mails that were given up be sent again, of these orders or of all. Answers how many. */
export async function retryMails(db: Queryable, orderIds?: string[]): Promise<number> {
  const { rowCount } = await db.query(
    `update mails set status = 'waiting', attempts = 0, next_at = now() where status = 'failed' and ($1::uuid[] is null or order_id = any($1))`,
    [orderIds ?? null],
  );
  return rowCount ?? 0;
}
