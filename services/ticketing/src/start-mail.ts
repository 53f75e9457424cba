import type { Store } from '@beltway/event-store';
import { serviceMail } from '@beltway/kit/mail/service';
import type { Deps } from './deps.ts';
import type { Config } from './config.ts';
import { orderAnswer } from './order/answer.ts';
import { orderLink } from './order/access.ts';
import { orderById } from './order/queries.ts';
import { wordsOf } from './words/words.ts';
import { changeTexts, noticeOf, startTellingChanges } from './mail/changes.ts';
import { changedMail, newLinkMail, orderMail, refundMail } from './mail/texts.ts';
import type { OrderMailKind } from './mail/queue.ts';
import { queueMailsOfSales } from './mail/follow-sales.ts';
import { startMailWorker } from './mail/worker.ts';

/**
 * Mail of ticketing: queued from the sale's events, sent by a worker, shown at /dev/mail where there is no mail server.
 */
export function startMail(deps: Deps & { store: Store }, config: Config) {
  const samples = () => import('./mail/samples.ts').then((module) => module.samplesWith(deps.papers));
  const { mailer, mount } = serviceMail({ service: 'ticketing', config, pool: deps.pool, samples, hasMailbox: true });
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
    const [kind, id = ''] = queued.split(':') as [OrderMailKind, string?];
    if (kind === 'event-changed') {
      const texts = changeTexts(answer, await noticeOf(deps.pool, id), words);
      return texts && changedMail(texts, answer, context);
    }
    if (kind === 'refund-asked' || kind === 'part-sent' || kind === 'part-failed')
      return refundMail(kind, id, answer, context);
    return kind === 'new-link' ? newLinkMail(answer, order.linkGeneration, context) : orderMail(kind, answer, context);
  }
  const follower = queueMailsOfSales(deps.store, worker.wake);
  const changes = startTellingChanges(deps);
  return {
    mount,
    stop: async () => {
      await changes.stop();
      await follower.stop();
      await worker.stop();
    },
  };
}
