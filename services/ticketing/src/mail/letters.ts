import type { Order } from '@beltway/contracts/ticketing';
import type { Mail } from '@beltway/kit/mail';
import { startOf } from '@beltway/contracts/times';
import { spokenTime } from '../listing/times.ts';
import { calendar, qrPng, ticketsPdf, voidBecause } from '../ticket/documents.ts';
import type { MailKind } from './queue.ts';

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const count = (quantity: number) => `${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;

const page = (
  title: string,
  body: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title></head><body style="margin:0;background:#f5f1ea;color:#12152b;font:16px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px 20px"><p style="font-weight:700;letter-spacing:.08em;color:#b3124f;margin:0 0 16px">BELTWAY</p>
<h1 style="font-size:26px;line-height:1.2;margin:0 0 12px">${escape(title)}</h1>${body}</div></body></html>`;

const facts = (rows: Array<[string, string]>) =>
  `<table style="width:100%;border-collapse:collapse;margin:16px 0">${rows
    .map(
      ([name, value]) =>
        `<tr><td style="padding:6px 12px 6px 0;color:#5b6078;vertical-align:top">${escape(name)}</td><td style="padding:6px 0">${escape(value)}</td></tr>`,
    )
    .join('')}</table>`;

const button = (text: string, url: string) =>
  `<p><a href="${escape(url)}" style="display:inline-block;background:#b3124f;color:#fff;padding:12px 20px;border-radius:10px;text-decoration:none;font-weight:600">${escape(text)}</a></p>`;

/** After the order's link was renewed: the mail before holds one that opens nothing any more. */
export function newLinkLetter(order: Order, link: string, generation: number): Mail {
  const { event, ticketHolderEmail, ticketHolderName, orderId } = order;
  const subject = `Your new link for ${event.title}`;
  const codes = voidBecause(order) ? '' : ' The QR codes stay as they are.';
  const why = `You asked for a new link to your tickets. The links in earlier mails no longer open them.${codes}`;
  return {
    id: `new-link-${generation}-${orderId}`,
    to: ticketHolderEmail ?? '',
    subject,
    text: [`Hello ${ticketHolderName},`, why, link].join('\n\n'),
    html: page(
      subject,
      `<p>Hello ${escape(ticketHolderName ?? '')},</p><p>${why}</p>${button('Open your tickets', link)}`,
    ),
    attachments: [],
  };
}

/** What a letter needs beside the order. */
export interface Around {
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
}

/** Subject, what happened, and what is true of the money. That it was sent is said only after payments said so. */
function refundWords(
  kind: Exclude<MailKind, 'tickets'>,
  order: Order,
  { refundedAt }: Around,
): [string, string, string] {
  const { title } = order.event;
  const money = dollars(order.amount);
  const asked = `We have asked for your refund of ${money}, and write again as soon as it is on its way.`;
  const sent = `${money} went back to your card. Banks show it within 5 to 10 days.`;
  switch (kind) {
    case 'too-late':
      return [
        `You get your money for ${title} back`,
        'Your payment arrived after your ten minutes were over, and the last tickets had gone to others by then. We are sorry.',
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

/** True when what this mail says is no longer so: it is not sent then. */
const isOutdated = (kind: MailKind, order: Order, { refundedAt }: Around): boolean => {
  if (kind === 'tickets') return voidBecause(order) !== null;
  if (kind === 'refund-sent') return refundedAt === null;
  return kind === 'refund-failed' && refundedAt !== null;
};

/** Writes the mail of an order; null when there is nothing to say any more. */
export async function letter(kind: MailKind, order: Order, around: Around): Promise<Mail | null> {
  if (isOutdated(kind, order, around)) return null;
  const { id, link, from, support } = around;
  const { event, ticketHolderEmail, ticketHolderName, quantity, amount, orderId } = order;
  const base = { id, to: ticketHolderEmail ?? '' };
  const when = spokenTime(startOf(event));
  const rows: Array<[string, string]> = [
    ['Event', event.title],
    ['When', when],
    ['Where', event.location],
    ['Tickets', `${quantity} × ${dollars(order.priceCents)}`],
    ['Total', `${dollars(amount)}, all included`],
    ['Order', orderId],
  ];
  const help = support ? [`Questions? Write to ${support}.`] : [];
  const helpHtml = help.map((text) => `<p style="color:#5b6078">${escape(text)}</p>`).join('');
  const entry = async () => ({
    filename: 'event.ics',
    contentType: `text/calendar; charset=utf-8; method=${voidBecause(order) ? 'CANCEL' : 'PUBLISH'}`,
    content: Buffer.from(await calendar(order, link, from)),
  });

  if (kind !== 'tickets') {
    const [subject, why, money] = refundWords(kind, order, around);
    // What was imported from the first mail leaves the calendar again.
    const isVoid = order.tickets.length > 0 && voidBecause(order) !== null;
    return {
      ...base,
      subject,
      text: [
        `Hello ${ticketHolderName},`,
        why,
        money,
        ...rows.map(([name, value]) => `${name}: ${value}`),
        link,
        ...help,
      ].join('\n\n'),
      html: page(
        subject,
        `<p>Hello ${escape(ticketHolderName ?? '')},</p><p>${why}</p><p><b>${money}</b></p>${facts(rows)}${button('See this order', link)}${helpHtml}`,
      ),
      attachments: isVoid ? [await entry()] : [],
    };
  }

  const subject = `Your ${count(quantity)} for ${event.title}`;
  const codes = await Promise.all(
    order.tickets.map(async (ticket, index) => ({
      ticket,
      cid: `ticket-${index + 1}@beltway`,
      png: await qrPng(ticket.qrCode ?? ''),
    })),
  );
  const shown = codes
    .map(
      ({ ticket, cid }, index) =>
        `<div style="background:#fff;border-radius:14px;padding:16px;margin:12px 0"><p style="margin:0 0 8px;color:#5b6078">Ticket ${index + 1} of ${quantity}</p>
         <img src="cid:${cid}" width="220" height="220" alt="QR code of ticket ${escape(ticket.ticketCode)}" style="display:block"><p style="margin:8px 0 0;font:600 18px ui-monospace,monospace">${escape(ticket.ticketCode)}</p></div>`,
    )
    .join('');
  return {
    ...base,
    subject,
    text: [
      `Hello ${ticketHolderName}, here ${quantity === 1 ? 'is your ticket' : 'are your tickets'}.`,
      ...rows.map(([name, value]) => `${name}: ${value}`),
      ...codes.map(({ ticket }, index) => `Ticket ${index + 1}: ${ticket.ticketCode}`),
      `Your tickets online: ${link}`,
      ...help,
    ].join('\n'),
    html: page(
      subject,
      `<p>Hello ${escape(ticketHolderName ?? '')}, show one code per person at the door. The PDF holds them all.</p>${facts(rows)}${button('Open your tickets', link)}${shown}${helpHtml}`,
    ),
    attachments: [
      ...codes.map(({ cid, png }, index) => ({
        filename: `ticket-${index + 1}.png`,
        contentType: 'image/png',
        content: png,
        cid,
      })),
      { filename: 'tickets.pdf', contentType: 'application/pdf', content: await ticketsPdf(order) },
      await entry(),
    ],
  };
}
