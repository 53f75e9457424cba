import { constants } from 'node:zlib';
import type { Order } from '@beltway/contracts/ticketing';
import { endOf, startOf } from '@beltway/contracts/times';
import { face } from '@beltway/typeset/faces';
import { spokenTime } from '../listing/times.ts';
import { drawText, registerFaces } from './draw-text.ts';

type Sold = Pick<Order, 'orderId' | 'event' | 'tickets'>;

/** Light modules around a code. */
const QR_MARGIN = 2;

/** Pixels of a module in a picture. */
const QR_SCALE = 6;

/** The QR of a ticket as PNG. In grey and without filters: the colours of `qrcode`'s own cost more than twice as much, for a larger file. */
export async function qrPng(qrText: string): Promise<Buffer> {
  const [{ create }, { PNG }] = await Promise.all([import('qrcode'), import('pngjs')]);
  const { size, data } = create(qrText, { errorCorrectionLevel: 'M' }).modules;
  const width = (size + 2 * QR_MARGIN) * QR_SCALE;
  const pixels = Buffer.alloc(width * width, 255);
  for (let row = 0; row < size; row++) {
    const line = (QR_MARGIN + row) * QR_SCALE * width;
    for (let column = 0; column < size; column++) {
      const from = line + (QR_MARGIN + column) * QR_SCALE;
      if (data[row * size + column]) pixels.fill(0, from, from + QR_SCALE);
    }
    for (let copy = 1; copy < QR_SCALE; copy++) pixels.copy(pixels, line + copy * width, line, line + width);
  }
  const grey = { inputColorType: 0, colorType: 0, inputHasAlpha: false } as const;
  const picture = Object.assign(new PNG({ width, height: width }), { data: pixels });
  return PNG.sync.write(picture, {
    ...grey,
    filterType: 0,
    deflateLevel: 6,
    deflateStrategy: constants.Z_DEFAULT_STRATEGY,
  });
}

/** A QR code as rectangles, one for each dark run of a row: sharp at any size. */
async function drawQr(pdf: PDFKit.PDFDocument, text: string, left: number, top: number, width: number): Promise<void> {
  const { create } = await import('qrcode');
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const step = width / (size + 2 * QR_MARGIN);
  for (let row = 0; row < size; row++)
    for (let from = 0, to = 0; from < size; from = to + 1) {
      for (to = from; to < size && data[row * size + to]; to++);
      if (to > from)
        pdf.rect(left + (QR_MARGIN + from) * step, top + (QR_MARGIN + row) * step, (to - from) * step, step);
    }
  pdf.fill('#000000');
}

/** In the place of a code: a frame that is crossed out. */
function drawVoid(pdf: PDFKit.PDFDocument, left: number, top: number, width: number): void {
  pdf.lineWidth(3).strokeColor('#b00020').rect(left, top, width, width).stroke();
  pdf.font('display').fontSize(64).fillColor('#b00020');
  pdf.text('VOID', left, top + width / 2 - 40, { width, align: 'center' });
  pdf.font('text').fillColor('#12152b');
}

/** Why the tickets of this order admit nobody; null while they do. They are void together, for an order is returned as a whole. */
export function voidBecause({ event, tickets }: Pick<Sold, 'event' | 'tickets'>): string | null {
  if (event.status === 'cancelled') return 'The organiser cancelled this event.';
  if (tickets.some(({ status }) => status === 'valid')) return null;
  return tickets.some(({ status }) => status === 'disputed')
    ? 'The payment for this ticket was disputed.'
    : 'The money for this ticket goes back to its buyer.';
}

/** One PDF per order, one page per admission. A void ticket has no code, and says that it is void. */
export async function ticketsPdf(order: Sold): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const because = voidBecause(order);
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: 54,
    info: { Title: `${because ? 'Void tickets' : 'Tickets'} for ${order.event.title}`, Author: 'Beltway' },
  });
  const [display, text] = [face('bricolage-grotesque', 700), face('instrument-sans', 400)];
  registerFaces(pdf, { display, text });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise((resolve) => pdf.on('end', resolve));
  for (const [index, ticket] of order.tickets.entries()) {
    if (index > 0) pdf.addPage();
    pdf.rect(0, 0, 612, 14).fill('#c2185b').fillColor('#12152b');
    pdf
      .font('text')
      .fontSize(11)
      .text(`BELTWAY   Ticket ${index + 1} of ${order.tickets.length}`, 54, 48, { characterSpacing: 1 });
    drawText(pdf, order.event.title, { face: display, size: 30, x: 54, y: 78, width: 504, maxLines: 4 });
    pdf.font('text').fontSize(14).moveDown(0.6);
    pdf.text(spokenTime(startOf(order.event)));
    drawText(pdf, order.event.location, { face: text, size: 14, x: 54, y: pdf.y, width: 504, maxLines: 2 });
    const top = Math.max(pdf.y + 24, 250);
    if (ticket.qrCode !== null) await drawQr(pdf, ticket.qrCode, 54, top, 250);
    else drawVoid(pdf, 54, top, 250);
    pdf
      .fontSize(10)
      .fillColor('#5b6078')
      .text('Holder', 330, top + 8)
      .fillColor('#12152b');
    drawText(pdf, ticket.ticketHolderName, { face: text, size: 15, x: 330, y: pdf.y, width: 228, maxLines: 3 });
    pdf
      .font('text')
      .moveDown(0.6)
      .fontSize(10)
      .fillColor('#5b6078')
      .text('Code')
      .fillColor('#12152b')
      .font('display')
      .fontSize(18)
      .text(ticket.ticketCode);
    pdf
      .moveDown(0.6)
      .font('text')
      .fontSize(10)
      .fillColor('#5b6078')
      .text('Price')
      .fillColor('#12152b')
      .fontSize(15)
      .text(`$${ticket.price.toFixed(2)}`);
    pdf
      .moveDown(0.6)
      .fontSize(10)
      .fillColor('#5b6078')
      .text('Type')
      .fillColor('#12152b')
      .fontSize(15)
      .text(ticket.ticketType);
    pdf
      .fontSize(10)
      .fillColor('#5b6078')
      .text(
        because
          ? `Void: this ticket admits nobody. ${because}`
          : 'One admission. Show this code at the door, on paper or on a screen.',
        54,
        top + 270,
      );
    pdf.text(`Order ${order.orderId}`);
  }
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}

/**
 * The event as an iCalendar file (RFC 5545), times in UTC. For void tickets it takes the entry away that was imported before (RFC 5546,
 * section 4.1.3: the same id, a later sequence, an organiser, who is `from`, as mails have it). An entry is an order's: another order
 * for the event keeps its own.
 */
export async function calendar(order: Sold, url: string, from: string): Promise<string> {
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator');
  const because = voidBecause(order);
  const file = ical({
    name: 'Beltway',
    prodId: '//Beltway//Tickets//EN',
    method: because ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  });
  file.createEvent({
    id: `order-${order.orderId}@beltway`,
    sequence: because ? 1 : 0,
    status: because ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: from.includes('<') ? from : `Beltway <${from}>`,
    start: startOf(order.event),
    end: endOf(order.event),
    summary: order.event.title,
    location: order.event.location,
    description: because
      ? `Your tickets are void. ${because} ${url}`
      : `${order.tickets.length} ${order.tickets.length === 1 ? 'ticket' : 'tickets'}: ${url}`,
    url,
  });
  return file.toString();
}
