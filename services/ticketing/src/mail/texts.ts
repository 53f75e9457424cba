import { moneyText } from '@beltway/contracts/common/basics';
import { calendarUrl, fullAddress, mapUrl } from '@beltway/contracts/catalog/event-links';
import { platformFeeCents } from '@beltway/contracts/payments/payments';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { admits } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import type { Attachment, Mail } from '@beltway/kit/mail';
import { composeMail, type Content } from '@beltway/kit/mail/layout';
import { calendar, calendarMethod, cancelLine, voidBecause } from '../ticket/calendar.ts';
import type { Papers } from '../ticket/papers.ts';
import type { Words } from '../words/english.ts';
import type { ChangeTexts } from './changes.ts';
import type { MailKind, MessageKind, PartMailKind } from './queue.ts';

/** The sentence about how an order's price is split between organizer and platform. */
function shareText(words: Words, amountCents: number): string {
  const fee = platformFeeCents(amountCents);
  return words.share(moneyText(amountCents - fee), moneyText(fee));
}

const refundRow = (words: Words, { amount, state, requestedAt, refundedAt }: OrderRefund) => ({
  name: words.names.refund,
  value: words.refundValue(moneyText(amount), state, new Date(refundedAt ?? requestedAt)),
});

/**
 * The facts in every mail: time, place and order number. Map and calendar links appear only while the tickets are
 * valid.
 */
function factsOf(
  order: Order,
  { words, link: siteUrl }: Pick<MailContext, 'words' | 'link'>,
): NonNullable<Content['rows']> {
  const { names } = words;
  const { event, quantity, lines, amount, orderNumber } = order;
  const isGoing = voidBecause(order) === null;
  const canceling = cancelLine(order, words);
  // Links to the event's page, not to the order, because otherwise the order's key would be part of another site's URL.
  const eventUrl = new URL(`/event/${event.id}`, siteUrl).href;
  const details = [words.countOfOrder(quantity, orderNumber), eventUrl].join('\n');
  return [
    { name: names.event, value: event.title },
    {
      name: names.when,
      value: words.planned(event),
      ...(calendarMethod(order) === 'PUBLISH' && {
        links: [{ text: words.googleCalendar, url: calendarUrl(event, details) }],
      }),
    },
    {
      name: names.where,
      value: fullAddress(event),
      ...(isGoing && { links: [{ text: words.map, url: mapUrl(fullAddress(event)) }] }),
    },
    {
      name: names.tickets,
      value: lines.map((line) => `${line.quantity} × ${moneyText(line.priceCents)}`).join(', '),
    },
    { name: names.total, value: words.allIncluded(moneyText(amount)) },
    { name: names.share, value: shareText(words, amount) },
    ...order.refunds.map((refund) => refundRow(words, refund)),
    ...(canceling ? [{ name: names.canceling, value: canceling }] : []),
    ...(orderNumber ? [{ name: names.order, value: orderNumber }] : []),
  ];
}

/** The foot of a mail: the support email address and the sender. */
const footOf = ({ words, support }: Pick<MailContext, 'words' | 'support'>, orderNumber: string | null): string[] => [
  ...(support ? [words.help(support, orderNumber)] : []),
  words.foot,
];

/** The recipient of an order's mail, and the email address for replies. */
const headOf = (id: string, { ticketHolderEmail }: Order, { replyTo }: Pick<MailContext, 'replyTo'>) => ({
  ...{ id, to: ticketHolderEmail ?? '' },
  ...(replyTo !== null && { replyTo }),
});

/** Sent after the order's link was renewed. The link in the previous mail is revoked. */
export function newLinkMail(order: Order, generation: number, context: Omit<MailContext, 'id' | 'refundedAt'>): Mail {
  const { event, ticketHolderName, orderId, orderNumber } = order;
  const { words, link, poster } = context;
  return composeMail(headOf(`new-link-${generation}-${orderId}`, order, context), {
    language: words.language,
    poster,
    title: words.newLink(event.title),
    preview: words.newLinkPreview,
    paragraphs: [words.hello(ticketHolderName), words.newLinkWhy(voidBecause(order) === null)],
    rows: factsOf(order, context),
    action: { text: words.openTickets, url: link },
    notes: footOf(context, orderNumber),
  });
}

/**
 * Sent to the old email address after a correction, because the link in earlier mails is revoked. Contains no link and
 * not the new email address, because the reader may be a stranger.
 */
export function addressCorrectedMail(
  to: string,
  { event, orderNumber }: Pick<Order, 'event' | 'orderNumber'>,
  context: Pick<MailContext, 'id' | 'words' | 'support'>,
): Mail {
  const { id, words } = context;
  return composeMail(
    { id, to },
    {
      language: words.language,
      title: words.addressCorrected(event.title),
      paragraphs: [words.addressCorrectedWhy],
      rows: orderNumber ? [{ name: words.names.order, value: orderNumber }] : [],
      notes: footOf(context, orderNumber),
    },
  );
}

/**
 * A message of the contact form, from the buyer to the organizer or in the other direction. The text contains no email
 * address of the buyer or the organizer. `to`: the recipient.
 */
export function messageMail(
  kind: MessageKind,
  { to, text }: { to: string; text: string },
  { event, ticketHolderName, orderNumber }: Pick<Order, 'event' | 'ticketHolderName' | 'orderNumber'>,
  { id, words, answerUrl }: Pick<MailContext, 'id' | 'words'> & { answerUrl: string },
): Mail {
  const isByBuyer = kind === 'message-to-organizer';
  const { names } = words;
  return composeMail(
    { id, to },
    {
      language: words.language,
      title: isByBuyer ? words.messageOfBuyer(event.title, orderNumber) : words.messageOfOrganizer(event.title),
      preview: text,
      paragraphs: [isByBuyer ? words.buyerWrites(ticketHolderName) : words.organizerWrites, text],
      rows: [
        { name: names.event, value: event.title },
        ...(orderNumber ? [{ name: names.order, value: orderNumber }] : []),
      ],
      action: { text: words.answer, url: answerUrl },
      notes: [words.messageHides, words.foot],
    },
  );
}

/** The file that adds the order's event to a calendar, or removes it. */
const calendarEntry = async (
  order: Order,
  { words, link, from }: Pick<MailContext, 'words' | 'link' | 'from'>,
): Promise<Attachment> => ({
  filename: 'event.ics',
  contentType: `text/calendar; charset=utf-8; method=${calendarMethod(order)}`,
  content: Buffer.from(await calendar(order, words, { url: link, from })),
});

/** Sent after the event's time or location changed. Contains the state of the event before and after the change. */
export async function changedMail(texts: ChangeTexts, order: Order, context: MailContext): Promise<Mail> {
  const { id, words, link, poster } = context;
  const { event, ticketHolderName, orderNumber } = order;
  return composeMail(
    headOf(id, order, context),
    {
      language: words.language,
      poster,
      title: texts.subject,
      preview: texts.now,
      paragraphs: [words.hello(ticketHolderName), texts.why],
      emphasis: texts.now,
      rows: [...texts.rows, ...factsOf(order, context)],
      action: { text: words.openTickets, url: link },
      notes: [
        event.status === 'postponed' ? words.oldDateOut : words.calendarUpToDate,
        ...footOf(context, orderNumber),
      ],
    },
    { files: [await calendarEntry(order, context)] },
  );
}

/** What a mail needs in addition to the order. */
export interface MailContext {
  /** In the recipient's language. */
  words: Words;
  /** The id of this mail. If the mail is sent again, it has the same id. */
  id: string;
  /** The link that opens the order without an account. */
  link: string;
  /** When payments reported the refund; null if payments has not reported it, or if the refund came back. */
  refundedAt: Date | null;
  /** The sender. */
  from: string;
  /** The organizer's contact email address, which receives replies; null if there is none. */
  replyTo: string | null;
  /** Whether these tickets are mailed because the order's email address was corrected. */
  isCorrected?: boolean;
  /** Support email address; undefined if none is configured. */
  support: string | undefined;
  /** The event's picture as JPEG. */
  poster: Buffer | null;
  papers: Papers;
}

/** The refunded amount. If a part of the order was refunded before, only the remaining amount. */
function amountOf(kind: Exclude<MailKind, 'tickets'>, { amount, orderId, refunds }: Order, refundedAt: Date | null) {
  const isMeant = ({ id, state, refundedAt: at }: OrderRefund): boolean => {
    if (kind === 'refund-sent') return at !== null && at === refundedAt?.toISOString();
    return kind === 'refund-failed' ? state === 'failed' : id === orderId;
  };
  return refunds.filter(isMeant).reduce((sum, refund) => sum + refund.amount, 0) || amount;
}

/**
 * Subject, what happened, and where the money is. The text states that the refund was sent only after payments has
 * reported this.
 */
function refundTexts(
  kind: Exclude<MailKind, 'tickets'>,
  order: Order,
  { words, refundedAt }: MailContext,
): [string, string, string] {
  const { title } = order.event;
  const money = moneyText(amountOf(kind, order, refundedAt));
  const asked = words.asked(money);
  const sent = words.sent(money);
  switch (kind) {
    case 'too-late':
      return [words.moneyBack(title), words.tooLateWhy, asked];
    case 'underpaid':
      return [words.moneyBack(title), words.underpaidWhy, asked];
    case 'event-canceled':
      // A bank may already have taken the money.
      return [words.canceled(title), words.canceledWhy, refundedAt ? sent : asked];
    case 'dispute-lost':
      return [words.noLongerValid(title), words.disputeLostWhy, words.throughYourBank];
    case 'refunded-by-provider':
      return [words.noLongerValid(title), words.noLongerValidWhy, refundedAt ? sent : words.throughBank(money)];
    case 'refund-sent':
      return [words.refundSent(title), words.refundSentWhy, sent];
    case 'refund-failed':
      return [words.notReached(title), words.notReachedWhy, words.tryingAgain(money)];
  }
}

/** Subject, what happened and where the money is, for a requested refund; null if the mail is obsolete. */
function askedTexts(
  words: Words,
  kind: PartMailKind,
  { event: { title }, tickets }: Order,
  { cause, reason, amount, state, ticketIds }: OrderRefund,
): [string, string, string] | null {
  const money = moneyText(amount);
  switch (kind) {
    case 'refund-asked':
      return [
        words.refundAsked(title),
        words.refundAskedWhy(cause, ticketIds.length, ticketIds.length === tickets.length, reason),
        state === 'refunded' ? words.sent(money) : words.asked(money),
      ];
    case 'part-sent':
      if (state !== 'refunded') return null;
      return [words.refundSent(title), words.partSentWhy(ticketIds.length), words.sent(money)];
    case 'part-failed':
      if (state !== 'failed') return null;
      return [words.notReached(title), words.notReachedWhy, words.tryingAgain(money)];
  }
}

/** The mail about one refund of an order; null if the mail is obsolete. */
export async function refundMail(
  kind: PartMailKind,
  refundId: string,
  order: Order,
  context: MailContext,
): Promise<Mail | null> {
  const refund = order.refunds.find(({ id }) => id === refundId);
  const texts = refund && askedTexts(context.words, kind, order, refund);
  return texts ? aboutRefund(texts, order, context) : null;
}

/**
 * A mail about money: what happened, the order's facts, and, if the tickets are void, a calendar file that removes the
 * event.
 */
async function aboutRefund([title, why, money]: [string, string, string], order: Order, context: MailContext) {
  const { id, words, link, poster } = context;
  const { ticketHolderName, orderNumber } = order;
  // The calendar file removes the entry that the first mail added.
  const isVoid = order.tickets.length > 0 && voidBecause(order) !== null;
  return composeMail(
    headOf(id, order, context),
    {
      language: words.language,
      poster,
      title,
      preview: money,
      paragraphs: [words.hello(ticketHolderName), why],
      emphasis: money,
      rows: factsOf(order, context),
      action: { text: words.seeOrder, url: link },
      notes: footOf(context, orderNumber),
    },
    { files: isVoid ? [await calendarEntry(order, context)] : [] },
  );
}

/**
 * Whether the mail is obsolete and must not be sent. While a payment is disputed, its tickets have no codes that could
 * be mailed.
 */
const isOutdated = (kind: MailKind, order: Order, { refundedAt }: MailContext): boolean => {
  if (kind === 'tickets') return !order.tickets.some(({ status }) => admits(status));
  if (kind === 'dispute-lost') return order.status !== 'disputed';
  if (kind === 'refund-sent') return refundedAt === null;
  return kind === 'refund-failed' && refundedAt !== null;
};

/** Composes the mail of this kind about an order; null if the mail is obsolete. */
export async function orderMail(kind: MailKind, order: Order, context: MailContext): Promise<Mail | null> {
  if (isOutdated(kind, order, context)) return null;
  const { id, words, link, support, poster, papers, isCorrected } = context;
  const { event, ticketHolderName, orderNumber } = order;
  if (kind !== 'tickets') return aboutRefund(refundTexts(kind, order, context), order, context);

  const standing = order.tickets.filter(({ status }) => admits(status));
  const quantity = standing.length;
  const pngs = await papers.codes(standing.map(({ qrCode }) => qrCode ?? ''));
  const cidOf = (index: number) => `ticket-${index + 1}@beltway`;
  return composeMail(
    headOf(id, order, context),
    {
      language: words.language,
      poster,
      title: words.yourTickets(quantity, event.title),
      preview: `${words.planned(event)} · ${event.location}`,
      paragraphs: [
        ...(isCorrected ? [words.correctedFirst] : []),
        ...(event.status === 'postponed' ? [words.postponedFirst] : []),
        words.atTheDoor(ticketHolderName, quantity, event.status === 'postponed'),
      ],
      rows: factsOf(order, context),
      action: { text: words.openTickets, url: link },
      codes: standing.map(({ ticketCode: code }, index) => ({
        ...{ name: words.ticketOf(index + 1, quantity), code, alt: words.qrOf(code), cid: cidOf(index) },
      })),
      notes: footOf(context, orderNumber),
    },
    {
      codes: pngs.map((content, index) => ({
        ...{ filename: `ticket-${index + 1}.png`, contentType: 'image/png', content, cid: cidOf(index) },
      })),
      files: [
        {
          filename: 'tickets.pdf',
          contentType: 'application/pdf',
          content: await papers.tickets(order, { words, poster, support, siteUrl: link }),
        },
        await calendarEntry(order, context),
      ],
    },
  );
}
