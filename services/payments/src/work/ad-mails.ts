import { sql } from 'kysely';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { enqueue, mailQueue, startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mailer } from '@beltway/kit/mail';
import type { Queryable } from '@beltway/kit/postgres';
import { adMail, type AdMailKind, type Site } from '../ads/mail.ts';
import { adOrdersById } from '../ads/orders.ts';

/** Time limit for sending one mail. */
export const EXCHANGE_MS = 60_000;

interface QueuedAdMail {
  adId: string;
  kind: AdMailKind;
  detail: string;
}

/** The key of a queued mail is the id of the bus message that causes the mail. */
const adMails = mailQueue<QueuedAdMail>('ad-mail', { keepsDone: true });

/**
 * Queues a mail in the transaction that handles the bus message. Each bus message causes one mail, however often the
 * bus message arrives.
 */
export const queueAdMail = (
  tx: Queryable,
  { messageId, adId, kind, detail = '' }: { messageId: string; adId: string; kind: AdMailKind; detail?: string },
) => enqueue(tx, adMails, [{ key: messageId, data: { adId, kind, detail } }]);

/** Deletes pending mails to the buyer whose account is erased; the team still gets its mails. */
export const dropAdMails = (tx: Queryable, userId: number) =>
  sql`delete from jobs j using ad_orders o where j.queue = ${adMails.name} and j.status <> 'done' and j.data->>'kind' <> 'booked'
    and o.id = (j.data->>'adId')::uuid and o.user_id = ${userId}`.execute(kysely(tx));

/** Sends the mails about ads. After a crash, a mail may be sent twice, with the same id. */
export const startAdMails = (
  { pool, log }: { pool: Pool; log: Logger },
  mailer: Pick<Mailer, 'send'>,
  site: Site,
): Worker =>
  startQueue({ pool, log }, adMails, async ({ key: id, data: { adId, kind, detail } }) => {
    const order = (await adOrdersById(pool, [adId])).get(adId);
    if (!order) throw new Error(`the order of the ad ${adId} is unknown`);
    const mail = adMail({ id, kind, detail }, order, site);
    if (mail) await mailer.send(mail);
  });
