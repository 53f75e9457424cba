import { join } from 'node:path';
import type { Express } from 'express';
import type { Store } from '@beltway/event-store';
import { openMailer } from '@beltway/kit/mail';
import type { Deps } from '../deps.ts';
import type { Config } from '../config.ts';
import { orderAnswer } from '../order/answer.ts';
import { orderLink } from '../order/link.ts';
import { orderById } from '../order/queries.ts';
import { letter, newLinkLetter } from './letters.ts';
import { mailboxRoutes } from './mailbox.ts';
import { queueMails } from './queue.ts';
import { startMailWorker } from './worker.ts';

/** Mail of ticketing: queued from the sale's events, sent by a worker, shown at /dev/mail where there is no mail server. */
export function startMail(deps: Deps & { store: Store }, config: Config) {
  const folder = join(config.DATA_DIR, 'mail');
  const mailer = openMailer({ smtpUrl: config.SMTP_URL, folder, from: config.MAIL_FROM });
  const worker = startMailWorker(deps.pool, deps.log, async (orderId, kind) => {
    const order = await orderById(deps.pool, orderId);
    if (!order) throw new Error(`no order ${orderId}`);
    const link = orderLink(config.PUBLIC_URL, config.TICKET_SECRET, order);
    const answer = await orderAnswer(deps, order);
    await mailer.send(
      kind === 'new-link' ? newLinkLetter(answer, link, order.linkGeneration) : await letter(kind, answer, link),
    );
  });
  const queue = queueMails(deps.store, worker.wake);
  return {
    mount: (app: Express) => {
      if (config.BELTWAY_MODE === 'embedded' && !config.SMTP_URL) app.use(mailboxRoutes(folder));
    },
    stop: async () => {
      await queue.stop();
      await worker.stop();
    },
  };
}
