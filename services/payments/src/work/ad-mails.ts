import type { Pool } from 'pg';
import { prepared } from '@beltway/event-store';
import { backoff } from '@beltway/kit/backoff';
import type { Logger } from '@beltway/kit/logger';
import type { Mailer } from '@beltway/kit/mail';
import { startPolling, type Poller } from '@beltway/kit/polling';
import type { Queryable } from '@beltway/kit/postgres';
import { adMail, type AdMailKind, type Site } from '../ads/mail.ts';
import { adOrdersById, forgetUnpaid } from '../ads/orders.ts';

const IDLE_MS = 2_000;
const SWEEP_MS = 3_600_000;
/** One mail may take so long in all; meanwhile it is nobody else's, and for a while longer. */
export const EXCHANGE_MS = 60_000;
const CLAIM_SECONDS = 120;
const pauseAfter = backoff(5_000, 3_600_000);
/** After these attempts a person has to look (`status = 'failed'`). */
const MAX_ATTEMPTS = 20;

/** In the transaction of the message that it follows from, whose id it has: one mail for each, however often it comes. */
export const queueAdMail = (
  tx: Queryable,
  mail: { messageId: string; adId: string; kind: AdMailKind; detail?: string },
) =>
  tx.query('insert into ad_mails (id, ad_id, kind, detail) values ($1, $2, $3, $4) on conflict do nothing', [
    ...[mail.messageId, mail.adId, mail.kind, mail.detail ?? ''],
  ]);

/** Sends one mail that is due; answers whether there was one. */
export async function sendAdMail(
  { pool, log }: { pool: Pool; log: Logger },
  mailer: Mailer,
  site: Site,
): Promise<boolean> {
  const { rows } = await pool.query<{
    id: string;
    adId: string;
    kind: AdMailKind;
    detail: string;
    attempts: number;
    lease: string;
  }>(
    prepared(
      `update ad_mails set attempts = attempts + 1, next_at = clock_timestamp() + make_interval(secs => $1)
       where id = (select id from ad_mails where status = 'waiting' and next_at <= now() order by next_at limit 1 for update skip locked)
       returning id, ad_id as "adId", kind, detail, attempts, next_at::text as lease`,
      [CLAIM_SECONDS],
    ),
  );
  const [mail] = rows;
  if (!mail) return false;
  const { id, adId, attempts, lease } = mail;
  try {
    const order = (await adOrdersById(pool, [adId])).get(adId);
    if (!order) throw new Error(`nothing is known of who bought the ad ${adId}`);
    const written = adMail(mail, order, site);
    if (written) await mailer.send(written);
    await pool.query(`update ad_mails set status = 'sent', last_error = null where id = $1`, [id]);
  } catch (err) {
    const isLast = attempts >= MAX_ATTEMPTS;
    log[isLast ? 'error' : 'warn']({ err, adId }, `a mail of an ad could not be sent${isLast ? '' : ' yet'}`);
    await pool.query(
      `update ad_mails set status = $3, last_error = $4, next_at = now() + make_interval(secs => $5)
       where id = $1 and next_at = $2::timestamptz and status = 'waiting'`,
      [
        ...[id, lease, isLast ? 'failed' : 'waiting'],
        ...[err instanceof Error ? err.message.slice(0, 500) : String(err), pauseAfter(attempts) / 1_000],
      ],
    );
  }
  return true;
}

/**
 * Mails of ads, one after the other: each is claimed for a time, sent, and marked. No transaction is open while it goes
 * out. A crash in between sends it again after the claim, with the same id.
 */
export function startAdMails(deps: { pool: Pool; log: Logger }, mailer: Mailer, site: Site): Poller {
  let sweptAt = Date.now();
  return startPolling(deps.log, 'mails of ads', IDLE_MS, async () => {
    if (Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      await forgetUnpaid(deps.pool);
    }
    return sendAdMail(deps, mailer, site);
  });
}
