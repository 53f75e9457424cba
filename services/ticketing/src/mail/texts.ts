import { moneyText } from '@beltway/contracts/common';
import { calendarUrl, mapUrl } from '@beltway/contracts/event-links';
import { platformFeeCents } from '@beltway/contracts/payments';
import type { OrderRefund, RefundCause } from '@beltway/contracts/refunds';
import type { Order } from '@beltway/contracts/ticketing';
import { ZONE } from '@beltway/contracts/times';
import { plannedWhenText } from '@beltway/contracts/when';
import type { Attachment, Mail } from '@beltway/kit/mail';
import { calendar, calendarMethod, qrPng, ticketsPdf, voidBecause } from '../ticket/documents.ts';
import { asHtml, asText, pictures, type Content } from './layout.ts';
import type { ChangeTexts } from './changes.ts';
import type { MailKind, PartMailKind } from './queue.ts';

const count = (quantity: number) => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

/** Who gets what of an order's price. */
function shareText(amountCents: number): string {
  const fee = platformFeeCents(amountCents);
  return `${moneyText(amountCents - fee)} for the organiser, ${moneyText(fee)} fee of Beltway (5 %), processing fee $0.00`;
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE });
const STATES = { requested: 'asked for', refunded: 'sent', failed: 'failed, tried again' } as const;

const refundRow = ({ amount, state, requestedAt, refundedAt }: OrderRefund) => ({
  name: 'Refund',
  value: `${moneyText(amount)}, ${STATES[state]} on ${DAY.format(new Date(refundedAt ?? requestedAt))} in New York`,
});

/** When, where and which order: the facts in every mail. Links to map and calendar only while the tickets are valid. */
function factsOf(order: Order, siteUrl: string): Content['rows'] {
  const { event, quantity, priceCents, amount, orderNumber } = order;
  const isGoing = voidBecause(order) === null;
  // Not the order's own link: its key would stand in an address of somebody else's.
  const eventUrl = new URL(`/event/${event.id}`, siteUrl).href;
  const details = [`${count(quantity)}${orderNumber ? `, order ${orderNumber}` : ''}`, eventUrl].join('\n');
  return [
    { name: 'Event', value: event.title },
    {
      name: 'When',
      value: plannedWhenText(event),
      ...(calendarMethod(order) === 'PUBLISH' && {
        links: [{ text: 'Add to Google Calendar', url: calendarUrl(event, details) }],
      }),
    },
    {
      name: 'Where',
      value: event.location,
      ...(isGoing && { links: [{ text: 'Map and directions', url: mapUrl(event.location) }] }),
    },
    { name: 'Tickets', value: `${quantity} × ${moneyText(priceCents)}` },
    { name: 'Total', value: `${moneyText(amount)}, all included` },
    { name: 'Of it', value: shareText(amount) },
    ...order.refunds.map(refundRow),
    ...(orderNumber ? [{ name: 'Order', value: orderNumber }] : []),
  ];
}

const helpOf = (support: string | undefined, orderNumber: string | null): string[] =>
  support ? [`Questions? Write to ${support}${orderNumber ? ` and name order ${orderNumber}` : ''}.`] : [];

const FOOT = 'Beltway. What is on tonight around DC, Maryland and Virginia, and the ticket for it.';

/** Both parts of a mail and its pictures. */
const mailBody = (content: Content, poster: Buffer | null): Pick<Mail, 'text' | 'html' | 'attachments'> => ({
  text: asText(content),
  html: asHtml(content, poster !== null),
  attachments: pictures(poster),
});

/** After the order's link was renewed: the mail before holds one that opens nothing any more. */
export function newLinkMail(order: Order, generation: number, context: Omit<MailContext, 'id' | 'refundedAt'>): Mail {
  const { event, ticketHolderEmail, ticketHolderName, orderId, orderNumber } = order;
  const subject = `Your new link for ${event.title}`;
  const codes = voidBecause(order) ? '' : ' The QR codes stay as they are.';
  return {
    id: `new-link-${generation}-${orderId}`,
    to: ticketHolderEmail ?? '',
    subject,
    ...mailBody(
      {
        title: subject,
        preview: 'Links in earlier mails no longer open your tickets.',
        paragraphs: [
          `Hello ${ticketHolderName},`,
          `You asked for a new link to your tickets. The links in earlier mails no longer open them.${codes}`,
        ],
        rows: factsOf(order, context.link),
        action: { text: 'Open your tickets', url: context.link },
        codes: [],
        notes: [...helpOf(context.support, orderNumber), FOOT],
      },
      context.poster,
    ),
  };
}

/** The file that puts the order's event into a calendar, or takes it out. */
const calendarEntry = async (
  order: Order,
  { link, from }: Pick<MailContext, 'link' | 'from'>,
): Promise<Attachment> => ({
  filename: 'event.ics',
  contentType: `text/calendar; charset=utf-8; method=${calendarMethod(order)}`,
  content: Buffer.from(await calendar(order, link, from)),
});

/** After the event's time or place changed: what was before, and what is so now. */
export async function changedMail(texts: ChangeTexts, order: Order, context: MailContext): Promise<Mail> {
  const { id, link, support, poster } = context;
  const { event, ticketHolderEmail, ticketHolderName, orderNumber } = order;
  const { text, html, attachments } = mailBody(
    {
      title: texts.subject,
      preview: texts.now,
      paragraphs: [`Hello ${ticketHolderName},`, texts.why],
      emphasis: texts.now,
      rows: [...texts.rows, ...factsOf(order, link)],
      action: { text: 'Open your tickets', url: link },
      codes: [],
      notes: [
        event.status === 'postponed'
          ? 'event.ics takes the old date out of your calendar.'
          : 'event.ics brings your calendar up to date.',
        ...helpOf(support, orderNumber),
        FOOT,
      ],
    },
    poster,
  );
  return {
    ...{ id, to: ticketHolderEmail ?? '', subject: texts.subject, text, html },
    attachments: [...attachments, await calendarEntry(order, context)],
  };
}

/** What a mail needs beside the order. */
export interface MailContext {
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
  { refundedAt }: MailContext,
): [string, string, string] {
  const { title } = order.event;
  const money = moneyText(amountOf(kind, order, refundedAt));
  const asked = `We have asked for your refund of ${money}, and write again as soon as it is on its way.`;
  const sent = `${money} went back to your card. Banks show it within 5 to 10 days.`;
  switch (kind) {
    case 'too-late':
      return [
        `You get your money for ${title} back`,
        'Your payment arrived after your ten minutes were over, and the last tickets had gone to others by then. We are sorry.',
        asked,
      ];
    case 'underpaid':
      return [
        `You get your money for ${title} back`,
        'Less arrived than your tickets cost, so the order got none. We are sorry.',
        asked,
      ];
    case 'event-cancelled':
      return [
        `${title} was cancelled: your refund`,
        'The organiser cancelled this event. Your tickets are no longer valid.',
        asked,
      ];
    case 'refunded-by-provider':
      return [
        `Your tickets for ${title} are no longer valid`,
        'The payment of this order was taken back. Your tickets are no longer valid.',
        // A dispute that the buyer won comes here too: then the bank has the money, and no refund of ours follows.
        refundedAt ? sent : `The ${money} come back to you through your bank.`,
      ];
    case 'refund-sent':
      return [`Your refund for ${title} was sent`, 'Your refund was sent.', sent];
    case 'refund-failed':
      return [
        `Your refund for ${title} has not reached you`,
        'Your bank did not accept the refund that we had sent, and the money came back to us.',
        `We are trying again to send you ${money}, and write as soon as it is on its way.`,
      ];
  }
}

/** Of a refund that somebody asked for: subject, what happened, and what is true of the money. Null: it is no longer so. */
function askedTexts(
  kind: PartMailKind,
  { event: { title }, tickets }: Order,
  { cause, reason, amount, state, ticketIds }: OrderRefund,
): [string, string, string] | null {
  const money = moneyText(amount);
  const which = ticketIds.length === tickets.length ? 'Your tickets' : `${count(ticketIds.length)} of your order`;
  switch (kind) {
    case 'refund-asked':
      return [
        `Your refund for ${title}`,
        `${WHO[cause]} ${which} ${ticketIds.length === 1 ? 'is' : 'are'} no longer valid.${reason ? ` Reason given: ${reason}` : ''}`,
        state === 'refunded'
          ? `${money} went back to your card. Banks show it within 5 to 10 days.`
          : `We have asked for your refund of ${money}, and write again as soon as it is on its way.`,
      ];
    case 'part-sent':
      if (state !== 'refunded') return null;
      return [
        `Your refund for ${title} was sent`,
        `Your refund for ${count(ticketIds.length)} was sent.`,
        `${money} went back to your card. Banks show it within 5 to 10 days.`,
      ];
    case 'part-failed':
      if (state !== 'failed') return null;
      return [
        `Your refund for ${title} has not reached you`,
        'Your bank did not accept the refund that we had sent, and the money came back to us.',
        `We are trying again to send you ${money}, and write as soon as it is on its way.`,
      ];
  }
}

const WHO: Record<RefundCause, string> = {
  'refunded-by-organiser': 'The organiser of this event refunds your order.',
  'refunded-by-admin': 'Beltway refunds your order.',
  'cancelled-by-buyer': 'You cancelled.',
  'event-cancelled': 'The organiser cancelled this event.',
  'refunded-by-provider': 'The payment of this order was taken back.',
  'too-late': 'Your payment came too late.',
  underpaid: 'Your payment was less than the price.',
  'order-lost': 'The order of this payment was lost.',
};

/** The mail of one refund of an order; null when there is nothing to say any more. */
export async function refundMail(
  kind: PartMailKind,
  refundId: string,
  order: Order,
  context: MailContext,
): Promise<Mail | null> {
  const refund = order.refunds.find(({ id }) => id === refundId);
  const texts = refund && askedTexts(kind, order, refund);
  return texts ? aboutRefund(texts, order, context) : null;
}

/** A mail about money: what happened, the order's facts, and a calendar file when its tickets are void. */
async function aboutRefund([subject, why, money]: [string, string, string], order: Order, context: MailContext) {
  const { id, link, support, poster } = context;
  const { ticketHolderEmail, ticketHolderName, orderNumber } = order;
  // What was imported from the first mail leaves the calendar again.
  const isVoid = order.tickets.length > 0 && voidBecause(order) !== null;
  const { text, html, attachments } = mailBody(
    {
      title: subject,
      preview: money,
      paragraphs: [`Hello ${ticketHolderName},`, why],
      emphasis: money,
      rows: factsOf(order, link),
      action: { text: 'See this order', url: link },
      codes: [],
      notes: [...helpOf(support, orderNumber), FOOT],
    },
    poster,
  );
  return {
    ...{ id, to: ticketHolderEmail ?? '', subject, text, html },
    attachments: isVoid ? [...attachments, await calendarEntry(order, context)] : attachments,
  };
}

/** True when what this mail says is no longer so: it is not sent then. */
const isOutdated = (kind: MailKind, order: Order, { refundedAt }: MailContext): boolean => {
  if (kind === 'tickets') return voidBecause(order) !== null;
  if (kind === 'refund-sent') return refundedAt === null;
  return kind === 'refund-failed' && refundedAt !== null;
};

/** Writes the mail of an order; null when there is nothing to say any more. */
export async function orderMail(kind: MailKind, order: Order, context: MailContext): Promise<Mail | null> {
  if (isOutdated(kind, order, context)) return null;
  const { id, link, support, poster } = context;
  const { event, ticketHolderEmail, ticketHolderName, orderNumber } = order;
  const base = { id, to: ticketHolderEmail ?? '' };
  const rows = factsOf(order, link);
  const notes = [...helpOf(support, orderNumber), FOOT];

  if (kind !== 'tickets') return aboutRefund(refundTexts(kind, order, context), order, context);

  const standing = order.tickets.filter(({ status }) => status === 'valid' || status === 'frozen');
  const quantity = standing.length;
  const subject = `Your ${count(quantity)} for ${event.title}`;
  const codes = await Promise.all(
    standing.map(async ({ ticketCode, qrCode }, index) => ({
      name: `Ticket ${index + 1} of ${quantity}`,
      code: ticketCode,
      cid: `ticket-${index + 1}@beltway`,
      png: await qrPng(qrCode ?? ''),
    })),
  );
  const { text, html, attachments } = mailBody(
    {
      title: subject,
      preview: `${plannedWhenText(event)} · ${event.location}`,
      paragraphs: [
        ...(event.status === 'postponed'
          ? [
              'The organiser has postponed this event. Your tickets are valid for its new date, and we write as soon as there is one.',
            ]
          : []),
        `Hello ${ticketHolderName}, show one code per person at the door, on a screen or on paper: tickets.pdf holds ${quantity === 1 ? 'it' : 'them all'}, and event.ics ${event.status === 'postponed' ? 'takes the old date out of your calendar' : 'puts the evening into any calendar'}.`,
      ],
      rows,
      action: { text: 'Open your tickets', url: link },
      codes,
      notes,
    },
    poster,
  );
  return {
    ...base,
    subject,
    text,
    html,
    attachments: [
      ...codes.map(({ cid, png }, index) => ({
        filename: `ticket-${index + 1}.png`,
        contentType: 'image/png',
        content: png,
        cid,
      })),
      ...attachments,
      {
        filename: 'tickets.pdf',
        contentType: 'application/pdf',
        content: await ticketsPdf(order, { poster, support, siteUrl: link }),
      },
      await calendarEntry(order, context),
    ],
  };
}
