import type { Language } from '@beltway/contracts/common/languages';
import { AccountAddress } from '@beltway/contracts/realtime/notifications';
import type { Store } from '@beltway/event-store';
import { NotYet } from '@beltway/kit/jobs';
import { serviceMail } from '@beltway/kit/mail/service';
import type { Deps } from './deps.ts';
import type { Config } from './config.ts';
import { isSettled } from './link/address.ts';
import { orderAnswer } from './order/answer.ts';
import { orderLink } from './order/access.ts';
import { orderById } from './order/queries.ts';
import { wordsIn, wordsOf } from './words/words.ts';
import { changeTexts, noticeOf, startTellingChanges } from './mail/changes.ts';
import { addressCorrectedMail, changedMail, messageMail, newLinkMail, orderMail, refundMail } from './mail/texts.ts';
import { isForCorrected, type OrderMail, type OrderMailKind } from './mail/queue.ts';
import { queueMailsOfSales } from './mail/follow-sales.ts';
import { startMailWorker } from './mail/worker.ts';

/**
 * Starts ticketing's mail. The events of sales queue mails, and a worker sends them. If there is no mail server,
 * /dev/mail shows the mails.
 */
export function startMail(deps: Deps & { store: Store }, config: Config) {
  const samples = () => import('./mail/samples.ts').then((module) => module.samplesWith(deps.papers));
  const { mailer, mount } = serviceMail({ service: 'ticketing', config, pool: deps.pool, samples, hasMailbox: true });
  const worker = startMailWorker(deps.pool, deps.log, { deliver: (mail) => mailer.send(mail), compose });
  /** The organizer's language; English if identity does not respond. */
  async function languageOf(accountId: number): Promise<Language> {
    try {
      return AccountAddress.parse(await deps.identity.get(`/internal/people/${accountId}/address`)).language;
    } catch (error) {
      deps.log.warn({ err: error, accountId }, 'the language of an account is unavailable; its mail is English');
      return 'en';
    }
  }
  async function compose(orderId: string, queued: string, { to, text = '' }: OrderMail) {
    const order = await orderById(deps.pool, orderId);
    if (!order) throw new Error(`no order ${orderId}`);
    // The order has no email address if the buyer's account was erased or the checkout was lost (catch-up.ts).
    if (!order.holderEmail) return null;
    if (!(await isSettled(deps.pool, order))) throw new NotYet('the address of this order is being corrected');
    const link = orderLink(config.PUBLIC_URL, config.TICKET_SECRET, order);
    const answer = await orderAnswer(deps, order);
    const words = wordsOf(order);
    const [kind, about = ''] = queued.split(':') as [OrderMailKind, string?];
    // A Message-ID may not contain a colon.
    const id = `${queued.replaceAll(':', '-')}-${orderId}`;
    if (kind === 'address-corrected')
      return addressCorrectedMail(to ?? '', answer, { id, words, support: config.SUPPORT_EMAIL });
    if (kind === 'message-to-buyer')
      return messageMail(kind, { to: order.holderEmail, text }, answer, { id, words, answerUrl: link });
    if (kind === 'message-to-organizer') {
      const contact = await deps.contacts.of(order.eventId);
      if (!contact || order.organizerId === null) return null;
      const answerUrl = new URL(`/dashboard/events/${order.eventId}`, config.PUBLIC_URL);
      answerUrl.search = new URLSearchParams({ message: orderId }).toString();
      const own = { id, words: wordsIn[await languageOf(order.organizerId)], answerUrl: answerUrl.href };
      return messageMail(kind, { to: contact, text }, answer, own);
    }
    const context = {
      words,
      id,
      link,
      replyTo: await deps.contacts.forReplies(order.eventId),
      isCorrected: isForCorrected(about),
      refundedAt: order.refundedAt,
      from: config.MAIL_FROM,
      support: config.SUPPORT_EMAIL,
      poster: await deps.pictures.of(answer.event.imageUrl),
      papers: deps.papers,
    };
    if (kind === 'event-changed') {
      const texts = changeTexts(answer, await noticeOf(deps.pool, about), words);
      return texts && changedMail(texts, answer, context);
    }
    if (kind === 'refund-asked' || kind === 'part-sent' || kind === 'part-failed')
      return refundMail(kind, about, answer, context);
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
