import { join } from 'node:path';
import type { Express } from 'express';
import type { Store } from '@beltway/event-store';
import { openMailer } from '@beltway/kit/mail';
import type { Deps } from './deps.ts';
import type { Config } from './config.ts';
import { orderAnswer } from './order/answer.ts';
import { orderLink } from './order/access.ts';
import { orderById } from './order/queries.ts';
import { wordsOf } from './words/words.ts';
import { changeTexts, noticeOf, startTellingChanges } from './mail/changes.ts';
import { changedMail, newLinkMail, orderMail, refundMail } from './mail/texts.ts';
import { mailboxRoutes } from './mail/mailbox.ts';
import type { MailKind } from './mail/queue.ts';
import { queueMailsOfSales } from './mail/follow-sales.ts';
import { startMailWorker } from './mail/worker.ts';

/**
 * Mail of ticketing: queued from the sale's events, sent by a worker, shown at /dev/mail where there is no mail server.
 */
export function startMail(deps: Deps & { store: Store }, config: Config) {
  const folder = join(config.DATA_DIR, 'mail');
  const mailer = openMailer({ smtpUrl: config.SMTP_URL, folder, from: config.MAIL_FROM });
  const worker = startMailWorker(deps.pool, deps.log, { deliver: (mail) => mailer.send(mail), compose });
  async function compose(orderId: string, queued: string) {
    const order = await orderById(deps.pool, orderId);
    if (!order) throw new Error(`no order ${orderId}`);
    // Its buyer's account was erased, or its checkout lost (catch-up.ts): there is nobody to write to.
    if (!order.holderEmail) return null;
    const link = orderLink(config.PUBLIC_URL, config.TICKET_SECRET, order);
    const answer = await orderAnswer(deps, order);
    const words = wordsOf(order);
    const context = {
      words,
      // A colon may not stand in a Message-ID.
      id: `${queued.replaceAll(':', '-')}-${orderId}`,
      link,
      refundedAt: order.refundedAt,
      from: config.MAIL_FROM,
      support: config.SUPPORT_EMAIL,
      poster: await deps.pictures.of(answer.event.imageUrl),
      papers: deps.papers,
    };
    const [kind, id = ''] = queued.split(':');
    if (kind === 'event-changed') {
      const texts = changeTexts(answer, await noticeOf(deps.pool, id), words);
      return texts && changedMail(texts, answer, context);
    }
    if (kind === 'refund-asked' || kind === 'part-sent' || kind === 'part-failed')
      return refundMail(kind, id, answer, context);
    return queued === 'new-link'
      ? newLinkMail(answer, order.linkGeneration, context)
      : orderMail(kind as MailKind, answer, context);
  }
  const follower = queueMailsOfSales(deps.store, worker.wake);
  const changes = startTellingChanges(deps);
  return {
    mount: (app: Express) => {
      if (config.BELTWAY_MODE === 'embedded' && !config.SMTP_URL) app.use(mailboxRoutes(folder));
    },
    stop: async () => {
      await changes.stop();
      await follower.stop();
      await worker.stop();
    },
  };
}
