import type { Pool } from 'pg';
import { startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import { AddressRefused, type Mail } from '@beltway/kit/mail';
import { restWhileBusy } from './pace.ts';
import { orderMails, type OrderMail } from './queue.ts';

/** Composes and sends mails. */
export interface Sender {
  /** Composes an order's mail of the queued kind; null if the mail is obsolete. */
  compose(orderId: string, kind: string, data: OrderMail): Promise<Mail | null>;
  deliver(mail: Mail): Promise<void>;
}

/** Waits for `work`, but rejects if the signal is aborted. `work` then continues in the background. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  return Promise.race([work, aborted.promise]);
}

/**
 * Starts the worker that sends the mails about orders. After a crash it may send a mail twice, with the same id. If the
 * worker stops before a mail was sent, it releases the mail immediately.
 */
export const startMailWorker = (pool: Pool, log: Logger, { compose, deliver }: Sender): Worker =>
  startQueue({ pool, log, rest: restWhileBusy }, orderMails, async ({ key, data, signal }) => {
    const [orderId = '', kind = ''] = key.split('/');
    const mail = await unlessAborted(signal, compose(orderId, kind, data));
    if (!mail) return { data: { isDropped: true } };
    try {
      await deliver(mail);
    } catch (error) {
      // The old email address was mistyped and often does not exist. If it is refused, the mail is dropped.
      if (kind.startsWith('address-corrected') && error instanceof AddressRefused) return { data: { isDropped: true } };
      throw error;
    }
    return {};
  });
