import type { Db } from '../db.ts';
import type { Mail } from '../generated/prisma/client.ts';

/** Mails that were given up, after as many attempts as `worker.ts` makes; oldest first. */
export const failedMails = ({ mail }: Db): Promise<Mail[]> =>
  mail.findMany({ where: { status: 'failed' }, orderBy: { createdAt: 'asc' } });

/** Lets mails that were given up be sent again, of these orders or of all. Answers how many. */
export async function retryMails({ mail }: Db, orderIds?: string[]): Promise<number> {
  const { count } = await mail.updateMany({
    where: { status: 'failed', ...(orderIds && { orderId: { in: orderIds } }) },
    data: { status: 'waiting', attempts: 0, nextAt: new Date() },
  });
  return count;
}
