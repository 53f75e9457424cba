import { constants } from 'node:zlib';
import { moneyText } from '@beltway/contracts/common/basics';
import { calendarUrl, mapUrl } from '@beltway/contracts/catalog/event-links';
import { admits, isOnHold } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import { face, type Face } from '@beltway/typeset/faces';
import type { Words } from '../words/english.ts';
import { cancelLine, voidBecause, type Sold } from './calendar.ts';
import { drawText, registerFaces } from './draw-text.ts';

/** Light modules around a code. */
const QR_MARGIN = 2;

/** Pixels of a module in a picture. */
const QR_SCALE = 6;

/**
 * The QR of a ticket as PNG. In grey and without filters: the colors of `qrcode`'s own cost more than twice as much,
 * for a larger file.
 */
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
function drawVoid(pdf: PDFKit.PDFDocument, mark: string, left: number, top: number, width: number): void {
  pdf.lineWidth(3).strokeColor('#b00020').rect(left, top, width, width).stroke();
  pdf
    .font('display')
    .fontSize(mark.length > 4 ? 44 : 64)
    .fillColor('#b00020');
  pdf.text(mark, left, top + width / 2 - 40, { width, align: 'center' });
  pdf.font('text').fillColor('#12152b');
}

/** Why this ticket of it admits nobody, in words; null while it does. */
function ticketVoidBecause(order: Pick<Sold, 'event'>, ticket: Ticket, words: Words): string | null {
  if (admits(ticket.status)) return null;
  if (isOnHold(ticket.status)) return words.frozen;
  const because = voidBecause({ event: order.event, tickets: [ticket] });
  return because && words.voidBecause(because);
}

/** What stands around the tickets on paper. */
export interface PaperParts {
  /** In its buyer's language. */
  words: Words;
  /** JPEG, 16:10. */
  poster: Buffer | null;
  /** Whom to ask. */
  support: string | undefined;
  /** Any address of ours: links to the event are made from it. */
  siteUrl: string;
}

/** Of a US letter page, in points. */
const MARGIN = 54;
const RIGHT = 612 - MARGIN;
const INK = '#12152b';
const SOFT = '#5b6078';
const ACCENT = '#b3124f';

/** The ring road with one way in, as in the page's header. */
function drawMark(pdf: PDFKit.PDFDocument, left: number, top: number): void {
  const radius = 8;
  const turn = 2 * Math.PI * radius;
  // A dash for the road and a gap for the way in, from 284 to 347 degrees; pdfkit begins a circle at 180, clockwise.
  const [road, gap] = [(turn * 297) / 360, (turn * 63) / 360];
  pdf.save().lineWidth(4.4).strokeColor(ACCENT);
  pdf.dash(road, { space: gap, phase: (turn * 193) / 360 });
  pdf
    .circle(left + radius, top + radius, radius)
    .stroke()
    .restore();
}

interface Faces {
  display: Face;
  text: Face;
}

/** The mark, which ticket this is, the event, and its picture. Answers where it ends. */
function drawHead(
  pdf: PDFKit.PDFDocument,
  { event }: Sold,
  position: string,
  parts: PaperParts & { faces: Faces; isGoing: boolean },
): number {
  const { words } = parts;
  const { display, text } = parts.faces;
  drawMark(pdf, MARGIN, 38);
  pdf
    .font('display')
    .fontSize(16)
    .fillColor(INK)
    .text('Beltway', MARGIN + 24, 36);
  pdf
    .font('text')
    .fontSize(11)
    .fillColor(SOFT)
    .text(position, MARGIN, 40, { width: RIGHT - MARGIN, align: 'right' });
  const top = 76;
  const width = parts.poster ? 300 : RIGHT - MARGIN;
  if (parts.poster) pdf.image(parts.poster, RIGHT - 184, top, { width: 184, height: 115 });
  pdf.fillColor(INK);
  drawText(pdf, event.title, { face: display, size: 26, x: MARGIN, y: top - 4, width, maxLines: 4 });
  pdf.font('text').fontSize(13).moveDown(0.4).text(words.planned(event), { width });
  drawText(pdf, event.location, { face: text, size: 13, x: MARGIN, y: pdf.y, width, maxLines: 2 });
  if (parts.isGoing) {
    const eventUrl = new URL(`/event/${event.id}`, parts.siteUrl).href;
    pdf.font('text').fontSize(11).moveDown(0.3).fillColor(ACCENT);
    pdf.text(words.map, { width, link: mapUrl(event.location), underline: true });
    if (event.status !== 'postponed')
      pdf.text(words.googleCalendar, { width, link: calendarUrl(event, eventUrl), underline: true });
  }
  return Math.max(pdf.y + 24, 250);
}

/** Names and values of one admission, beside its code. */
function drawFacts(
  pdf: PDFKit.PDFDocument,
  ticket: Ticket,
  { display, text }: Faces,
  names: Words['paperNames'],
  top: number,
): void {
  const left = 330;
  pdf.y = top + 4;
  for (const [name, value] of [
    [names.holder, ticket.ticketHolderName],
    [names.code, ticket.ticketCode],
    [names.price, moneyText(Math.round(ticket.price * 100))],
    [names.type, ticket.ticketType],
    ...(ticket.orderNumber ? [[names.order, ticket.orderNumber]] : []),
  ] as Array<[string, string]>) {
    pdf.font('text').fontSize(10).fillColor(SOFT).text(name, left, pdf.y);
    const isCode = name === names.code;
    const look = isCode ? { face: display, size: 18 } : { face: text, size: 14 };
    pdf.fillColor(INK);
    drawText(pdf, value, { ...look, x: left, y: pdf.y, width: RIGHT - left, maxLines: 2 });
    pdf.moveDown(0.3);
  }
}

/** One PDF per order, one page per admission. A void ticket has no code, and says that it is void. */
export async function ticketsPdf(order: Sold, parts: PaperParts): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const { words } = parts;
  const because = voidBecause(order);
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: MARGIN,
    info: { Title: words.paperTitle(order.event.title, because !== null), Author: 'Beltway' },
    lang: words.language,
  });
  const faces = { display: face('bricolage-grotesque', 700), text: face('instrument-sans', 400) };
  registerFaces(pdf, { ...faces });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise((resolve) => pdf.on('end', resolve));
  // Opened once: all pages show the same one.
  const poster = parts.poster && (pdf as unknown as { openImage(image: Buffer): Buffer }).openImage(parts.poster);
  const size = 250;
  for (const [index, ticket] of order.tickets.entries()) {
    if (index > 0) pdf.addPage();
    const position = words.ticketOf(index + 1, order.tickets.length);
    const top = drawHead(pdf, order, position, { ...parts, poster, faces, isGoing: because === null });
    const ticketVoid = ticketVoidBecause(order, ticket, words);
    if (ticket.qrCode !== null) await drawQr(pdf, ticket.qrCode, MARGIN, top, size);
    else drawVoid(pdf, words.voidMark, MARGIN, top, size);
    drawFacts(pdf, ticket, faces, words.paperNames, top);
    pdf.font('text').fontSize(11).fillColor(INK);
    pdf.text(
      ticketVoid
        ? words.voidTicket(ticketVoid)
        : order.event.status === 'postponed'
          ? words.admissionPostponed
          : words.admission,
      MARGIN,
      Math.max(top + size + 16, pdf.y),
      { width: RIGHT - MARGIN },
    );
    const canceling = ticketVoid ? null : cancelLine(order, words);
    if (canceling)
      pdf
        .fontSize(10)
        .fillColor(SOFT)
        .text(canceling, { width: RIGHT - MARGIN });
    if (parts.support) {
      pdf
        .fontSize(10)
        .fillColor(SOFT)
        .text(words.help(parts.support, order.orderNumber), { width: RIGHT - MARGIN });
    }
  }
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}
