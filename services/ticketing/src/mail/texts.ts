import { moneyText } from '@beltway/contracts/common/basics';
import { calendarUrl, mapUrl } from '@beltway/contracts/catalog/event-links';
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
import type { MailKind, PartMailKind } from './queue.ts';

/** Who gets what of an order's price. */
function shareText(words: Words, amountCents: number): string {
  const fee = platformFeeCents(amountCents);
  return words.share(moneyText(amountCents - fee), moneyText(fee));
}

const refundRow = (words: Words, { amount, state, requestedAt, refundedAt }: OrderRefund) => ({
  name: words.names.refund,
  value: words.refundValue(moneyText(amount), state, new Date(refundedAt ?? requestedAt)),
});

/** When, where and which order: the facts in every mail. Links to map and calendar only while the tickets are valid. */
function factsOf(
  order: Order,
  { words, link: siteUrl }: Pick<MailContext, 'words' | 'link'>,
): NonNullable<Content['rows']> {
  const { names } = words;
  const { event, quantity, lines, amount, orderNumber } = order;
  const isGoing = voidBecause(order) === null;
  const canceling = cancelLine(order, words);
  // Not the order's own link: its key would stand in an address of somebody else's.
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
      value: event.location,
      ...(isGoing && { links: [{ text: words.map, url: mapUrl(event.location) }] }),
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

/** Whom to ask, and who writes. */
const footOf = ({ words, support }: Pick<MailContext, 'words' | 'support'>, orderNumber: string | null): string[] => [
  ...(support ? [words.help(support, orderNumber)] : []),
  words.foot,
];

/** After the order's link was renewed: the mail before holds one that opens nothing any more. */
export function newLinkMail(order: Order, generation: number, context: Omit<MailContext, 'id' | 'refundedAt'>): Mail {
  const { event, ticketHolderEmail, ticketHolderName, orderId, orderNumber } = order;
  const { words, link, poster } = context;
  return composeMail(
    { id: `new-link-${generation}-${orderId}`, to: ticketHolderEmail ?? '' },
    {
      language: words.language,
      poster,
      title: words.newLink(event.title),
      preview: words.newLinkPreview,
      paragraphs: [words.hello(ticketHolderName), words.newLinkWhy(voidBecause(order) === null)],
      rows: factsOf(order, context),
      action: { text: words.openTickets, url: link },
      notes: footOf(context, orderNumber),
    },
  );
}

/** The file that puts the order's event into a calendar, or takes it out. */
const calendarEntry = async (
  order: Order,
  { words, link, from }: Pick<MailContext, 'words' | 'link' | 'from'>,
): Promise<Attachment> => ({
  filename: 'event.ics',
  contentType: `text/calendar; charset=utf-8; method=${calendarMethod(order)}`,
  content: Buffer.from(await calendar(order, words, link, from)),
});

/** After the event's time or place changed: what was before, and what is so now. */
export async function changedMail(texts: ChangeTexts, order: Order, context: MailContext): Promise<Mail> {
  const { id, words, link, poster } = context;
  const { event, ticketHolderEmail, ticketHolderName, orderNumber } = order;
  return composeMail(
    { id, to: ticketHolderEmail ?? '' },
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

/** What a mail needs beside the order. */
export interface MailContext {
  /** In its reader's language. */
  words: Words;
  /** Of this mail: sent again it is the same. */
  id: string;
  /** Opens the order without an account. */
  link: string;
  /** When payments said that the money was sent back; null when it did not, or no longer. */
  refundedAt: Date | null;
  /** Who sends it. */
  from: string;
  /** Whom to ask; undefined where nobody is named. */
  support: string | undefined;
  /** The event's picture, JPEG. */
  poster: Buffer | null;
  papers: Papers;
}

/** The money that a mail is about: of an order that was refunded in parts before, only the rest. */
function amountOf(kind: Exclude<MailKind, 'tickets'>, { amount, orderId, refunds }: Order, refundedAt: Date | null) {
  const isMeant = ({ id, state, refundedAt: at }: OrderRefund): boolean => {
    if (kind === 'refund-sent') return at !== null && at === refundedAt?.toISOString();
    return kind === 'refund-failed' ? state === 'failed' : id === orderId;
  };
  return refunds.filter(isMeant).reduce((sum, refund) => sum + refund.amount, 0) || amount;
}

/** Subject, what happened, and what is true of the money. That it was sent is said only after payments said so. */
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
      // A bank may have taken it back before.
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

/** Of a refund that somebody asked for: subject, what happened, and what is true of the money. Null: it is no longer so. */
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

/** The mail of one refund of an order; null when there is nothing to say any more. */
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

/** A mail about money: what happened, the order's facts, and a calendar file when its tickets are void. */
async function aboutRefund([title, why, money]: [string, string, string], order: Order, context: MailContext) {
  const { id, words, link, poster } = context;
  const { ticketHolderEmail, ticketHolderName, orderNumber } = order;
  // What was imported from the first mail leaves the calendar again.
  const isVoid = order.tickets.length > 0 && voidBecause(order) !== null;
  return composeMail(
    { id, to: ticketHolderEmail ?? '' },
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

/** True when what this mail says is no longer so: it is not sent then. A ticket of a disputed payment has no code to send. */
const isOutdated = (kind: MailKind, order: Order, { refundedAt }: MailContext): boolean => {
  if (kind === 'tickets') return !order.tickets.some(({ status }) => admits(status));
  if (kind === 'dispute-lost') return order.status !== 'disputed';
  if (kind === 'refund-sent') return refundedAt === null;
  return kind === 'refund-failed' && refundedAt !== null;
};

/** Writes the mail of an order; null when there is nothing to say any more. */
export async function orderMail(kind: MailKind, order: Order, context: MailContext): Promise<Mail | null> {
  if (isOutdated(kind, order, context)) return null;
  const { id, words, link, support, poster, papers } = context;
  const { event, ticketHolderEmail, ticketHolderName, orderNumber } = order;
  if (kind !== 'tickets') return aboutRefund(refundTexts(kind, order, context), order, context);

  const standing = order.tickets.filter(({ status }) => admits(status));
  const quantity = standing.length;
  const pngs = await papers.codes(standing.map(({ qrCode }) => qrCode ?? ''));
  const cidOf = (index: number) => `ticket-${index + 1}@beltway`;
  return composeMail(
    { id, to: ticketHolderEmail ?? '' },
    {
      language: words.language,
      poster,
      title: words.yourTickets(quantity, event.title),
      preview: `${words.planned(event)} · ${event.location}`,
      paragraphs: [
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
