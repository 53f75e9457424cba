import type { Pool } from 'pg';
import { startQueue, type Worker } from '@beltway/kit/jobs';
import type { Logger } from '@beltway/kit/logger';
import type { Mail } from '@beltway/kit/mail';
import { restWhileBusy } from './pace.ts';
import { orderMails } from './queue.ts';

/** How a mail is made and sent. */
export interface Sender {
  /** Writes the mail of an order, of the kind as it is queued; nothing when what it would say is no longer so. */
  compose(orderId: string, kind: string): Promise<Mail | null>;
  deliver(mail: Mail): Promise<void | 'refused'>;
}

/** Rejects as soon as the signal is aborted, and leaves `work` to itself. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  return Promise.race([work, aborted.promise]);
}

/**
 * Sends the mails about orders. A crash can send one twice, with the same id. A worker that is stopped before a mail is on its way gives it
 * back immediately.
 */
export const startMailWorker = (pool: Pool, log: Logger, { compose, deliver }: Sender): Worker =>
  startQueue({ pool, log, rest: restWhileBusy }, orderMails, async ({ key, signal }) => {
    const [orderId = '', kind = ''] = key.split('/');
    const mail = await unlessAborted(signal, compose(orderId, kind));
    if (!mail || (await deliver(mail)) === 'refused') return { data: { isDropped: true } };
    return {};
  });
