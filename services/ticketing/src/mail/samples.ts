import type { Language } from '@beltway/contracts/common/languages';
import type { EventStatus } from '@beltway/contracts/catalog/events';
import { GENERAL } from '@beltway/contracts/ticketing/order-lines';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { admits, type TicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import type { Mail } from '@beltway/kit/mail';
import { SAMPLE, type MailSamples } from '@beltway/kit/mail/samples';
import type { Papers } from '../ticket/papers.ts';
import { wordsIn } from '../words/words.ts';
import { changeTexts } from './changes.ts';
import type { MailKind, MessageKind, OrderMailKind, PartMailKind } from './queue.ts';
import {
  addressCorrectedMail,
  changedMail,
  messageMail,
  newLinkMail,
  orderMail,
  refundMail,
  type MailContext,
} from './texts.ts';

const ORDER_ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const REFUND_ID = '1c9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f11';
const REFUNDED_AT = '2030-05-03T16:05:00.000Z';

/** An order of two tickets for $25.50 each. */
export function sampleOrder(
  status: TicketStatus,
  { eventStatus = 'published' as EventStatus, refunds = [] as OrderRefund[], eventStartTime = '19:00' } = {},
): Order {
  const common = { orderId: ORDER_ID, orderNumber: '4F7K-2M9Q' };
  const holder = { ticketHolderName: SAMPLE.name, ticketHolderEmail: SAMPLE.to };
  return {
    ...{ ...common, ...holder, refunds, createdAt: '2030-05-01T00:00:00.000Z' },
    lines: [{ ...GENERAL, quantity: 2, priceCents: 2_550 }],
    ...{ quantity: 2, amount: 5_100, holdUntil: null, extendable: false, claimable: false },
    ...{ status: status === 'disputed' ? 'disputed' : 'fulfilled', refundable: false, refundableUntil: null },
    event: {
      ...{ id: 42, title: 'Noche', location: 'The Wharf', status: eventStatus, imageUrl: null },
      ...{ eventDate: '2030-06-01T04:00:00.000Z', eventStartTime, eventEndTime: null },
    },
    tickets: [1, 2].map((n) => ({
      ...{ ...common, ...holder, id: ORDER_ID, eventId: 42, quantity: 1, purchaseDate: '2030-05-01T00:00:00.000Z' },
      ...{ ticketCode: `ABCD-EFGH-000${n}`, ticketType: 'general', price: 25.5, isCheckedIn: false, checkedInAt: null },
      qrCode: admits(status) ? `BW1.${n}` : null,
      status,
    })),
  };
}

export const sampleRefund = (state: OrderRefund['state'], ticketIds = [ORDER_ID]): OrderRefund => ({
  ...{ id: REFUND_ID, cause: 'refunded-by-organizer', reason: 'Llueve', amount: 2_550, state, ticketIds },
  ...{ requestedAt: '2030-05-02T16:05:00.000Z', refundedAt: state === 'refunded' ? REFUNDED_AT : null },
});

export const sampleContext = (papers: Papers, language: Language, isRefunded = false): MailContext => ({
  ...{ words: wordsIn[language], id: 'sample', link: `${SAMPLE.publicUrl}/ticket-success`, poster: null, papers },
  ...{ from: 'tickets@beltway.test', support: SAMPLE.support, refundedAt: isRefunded ? new Date(REFUNDED_AT) : null },
  replyTo: null,
});

/** One sample of every kind of mail. `papers` draws PDFs and QR codes. */
export function samplesWith(papers: Papers): MailSamples {
  const ofOrder = (kind: MailKind, status: TicketStatus, isRefunded?: boolean) => (language: Language) =>
    orderMail(kind, sampleOrder(status), sampleContext(papers, language, isRefunded));
  const ofRefund = (kind: PartMailKind, state: OrderRefund['state']) => (language: Language) => {
    const order = sampleOrder('valid', { refunds: [sampleRefund(state)] });
    return refundMail(kind, REFUND_ID, order, sampleContext(papers, language));
  };
  type Compose = (language: Language) => Promise<Mail | null> | Mail;
  const message = (kind: MessageKind) => (language: Language) => {
    const context = { ...sampleContext(papers, language), answerUrl: SAMPLE.publicUrl };
    return messageMail(kind, { to: SAMPLE.to, text: 'Is there parking nearby?' }, sampleOrder('valid'), context);
  };
  const kinds: Record<OrderMailKind, Compose> = {
    tickets: ofOrder('tickets', 'valid'),
    'too-late': ofOrder('too-late', 'refunded'),
    underpaid: ofOrder('underpaid', 'refunded'),
    'event-canceled': ofOrder('event-canceled', 'canceled'),
    'refunded-by-provider': ofOrder('refunded-by-provider', 'refunded'),
    'dispute-lost': ofOrder('dispute-lost', 'disputed'),
    'refund-sent': ofOrder('refund-sent', 'refunded', true),
    'refund-failed': ofOrder('refund-failed', 'refunding'),
    'refund-asked': ofRefund('refund-asked', 'requested'),
    'part-sent': ofRefund('part-sent', 'refunded'),
    'part-failed': ofRefund('part-failed', 'failed'),
    'new-link': (language) => newLinkMail(sampleOrder('valid'), 1, sampleContext(papers, language)),
    'address-corrected': (language) =>
      addressCorrectedMail(SAMPLE.to, sampleOrder('valid'), sampleContext(papers, language)),
    'message-to-organizer': message('message-to-organizer'),
    'message-to-buyer': message('message-to-buyer'),
    'event-changed': (language) => {
      const order = sampleOrder('valid', { eventStartTime: '21:30' });
      const before = { ...sampleOrder('valid').event, location: 'Anacostia Park' };
      return changedMail(changeTexts(order, before, wordsIn[language])!, order, sampleContext(papers, language));
    },
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, compose]) => [kind, async (language) => (await compose(language))!]),
  );
}
