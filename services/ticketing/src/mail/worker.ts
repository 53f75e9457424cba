import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { transaction } from '@beltway/kit/postgres';
import type { MailKind } from './queue.ts';

export interface MailWorker {
  wake(): void;
  stop(): Promise<void>;
}

const IDLE_MS = 2_000;
/** Pauses after a failure: 5 s, doubling, an hour at most. After these attempts a person has to look (`status = 'failed'`). */
const MAX_ATTEMPTS = 20;

/**
 * Sends what waits, one mail in one transaction: its row is locked while it goes out, and marked sent after. Between the two a
 * crash can repeat it; it then carries the same id.
 */
export function startMailWorker(
  pool: Pool,
  log: Logger,
  send: (orderId: string, kind: MailKind) => Promise<void>,
): MailWorker {
  let stopped = false;
  let wake = () => undefined as void;
  let woken = false;

  async function sendNext(): Promise<boolean> {
    return transaction(pool, async (tx) => {
      const { rows } = await tx.query<{ order_id: string; kind: MailKind; attempts: number }>(
        `select order_id, kind, attempts from mails where status = 'waiting' and next_at <= now() order by next_at limit 1 for update skip locked`,
      );
      const [mail] = rows;
      if (!mail) return false;
      try {
        await send(mail.order_id, mail.kind);
        await tx.query(
          `update mails set status = 'sent', sent_at = now(), attempts = attempts + 1, last_error = null where order_id = $1 and kind = $2`,
          [mail.order_id, mail.kind],
        );
      } catch (error) {
        log.warn({ err: error, orderId: mail.order_id, kind: mail.kind }, 'a mail could not be sent yet');
        const seconds = Math.min(5 * 2 ** mail.attempts, 3_600);
        await tx.query(
          `update mails set attempts = attempts + 1, last_error = $3, next_at = now() + make_interval(secs => $4),
             status = case when attempts + 1 >= $5 then 'failed' else 'waiting' end where order_id = $1 and kind = $2`,
          [
            mail.order_id,
            mail.kind,
            error instanceof Error ? error.message.slice(0, 500) : String(error),
            seconds,
            MAX_ATTEMPTS,
          ],
        );
      }
      return true;
    });
  }

  const sleep = () =>
    new Promise<void>((resolve) => {
      if (woken || stopped) return resolve();
      const timer = setTimeout(resolve, IDLE_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const running = (async () => {
    while (!stopped) {
      woken = false;
      try {
        while (!stopped && (await sendNext()));
      } catch (error) {
        log.warn({ err: error }, 'the mail queue cannot be read right now');
      }
      if (!stopped) await sleep();
    }
  })();

  return {
    wake: () => {
      woken = true;
      wake();
    },
    stop: async () => {
      stopped = true;
      wake();
      await running;
    },
  };
}
