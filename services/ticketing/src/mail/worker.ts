import type { Pool } from 'pg';
import type { Logger } from '@beltway/kit/logger';
import { giveWay } from './pace.ts';
import type { MailKind } from './queue.ts';

type WaitingMail = MailKind | 'new-link';

export interface MailWorker {
  wake(): void;
  stop(): Promise<void>;
}

const IDLE_MS = 2_000;
/** Pauses after a failure: 5 s, doubling, an hour at most. After these attempts a person has to look (`status = 'failed'`). */
const MAX_ATTEMPTS = 20;

/** For so long a mail that is being sent is nobody else's. */
const LEASE_SECONDS = 120;

/**
 * Sends what waits. A mail is claimed for two minutes, sent, and marked sent; no transaction is open while it goes out, for that
 * would hold back every relay of the server. A crash in between repeats it after the lease; it then carries the same id.
 */
export function startMailWorker(
  pool: Pool,
  log: Logger,
  send: (orderId: string, kind: WaitingMail) => Promise<void>,
): MailWorker {
  let stopped = false;
  let wake = () => undefined as void;
  let woken = false;

  async function claim() {
    const { rows } = await pool.query<{ order_id: string; kind: WaitingMail; attempts: number }>(
      `update mails set attempts = attempts + 1, next_at = now() + make_interval(secs => $1)
       where (order_id, kind) in (
         select order_id, kind from mails where status = 'waiting' and next_at <= now() order by next_at limit 1 for update skip locked
       ) returning order_id, kind, attempts`,
      [LEASE_SECONDS],
    );
    return rows[0];
  }

  async function sendNext(): Promise<boolean> {
    const mail = await claim();
    if (!mail) return false;
    const { order_id: orderId, kind, attempts } = mail;
    try {
      await send(orderId, kind);
    } catch (error) {
      log.warn({ err: error, orderId, kind }, 'a mail could not be sent yet');
      await pool.query(
        `update mails set last_error = $3, next_at = now() + make_interval(secs => $4), status = $5 where order_id = $1 and kind = $2`,
        [
          orderId,
          kind,
          error instanceof Error ? error.message.slice(0, 500) : String(error),
          Math.min(5 * 2 ** (attempts - 1), 3_600),
          attempts >= MAX_ATTEMPTS ? 'failed' : 'waiting',
        ],
      );
      return true;
    }
    await pool.query(
      `update mails set status = 'sent', sent_at = now(), last_error = null where order_id = $1 and kind = $2`,
      [orderId, kind],
    );
    return true;
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
        for (let since = performance.now(); !stopped && (await sendNext()); since = performance.now())
          await giveWay(performance.now() - since);
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
