import { constants } from 'node:zlib';
import { moneyText } from '@beltway/contracts/common/basics';
import { calendarUrl, fullAddress, mapUrl } from '@beltway/contracts/catalog/event-links';
import { admits, isOnHold } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import { face, type Face } from '@beltway/typeset/faces';
import type { Words } from '../words/english.ts';
import { cancelLine, voidBecause, type Sold } from './calendar.ts';
import { drawText, registerFaces } from './draw-text.ts';

/** Width of the quiet zone around a QR code, in modules. */
const QR_MARGIN = 2;

/** Pixels per module of a PNG. */
const QR_SCALE = 6;

/**
 * A ticket's QR code as PNG, in gray and without filters. PNGs in color, as `qrcode` draws them, take more than twice
 * the time and are larger.
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

/** Draws a QR code as rectangles, one for each run of dark modules in a row, so that the code is sharp at any size. */
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

/** Draws a frame with the word for “void” instead of a QR code. */
function drawVoid(pdf: PDFKit.PDFDocument, mark: string, left: number, top: number, width: number): void {
  pdf.lineWidth(3).strokeColor('#b00020').rect(left, top, width, width).stroke();
  pdf
    .font('display')
    .fontSize(mark.length > 4 ? 44 : 64)
    .fillColor('#b00020');
  pdf.text(mark, left, top + width / 2 - 40, { width, align: 'center' });
  pdf.font('text').fillColor('#12152b');
}

/** Why this ticket does not admit; null if it admits. */
function ticketVoidBecause(order: Pick<Sold, 'event'>, ticket: Ticket, words: Words): string | null {
  if (admits(ticket.status)) return null;
  if (isOnHold(ticket.status)) return words.frozen;
  const because = voidBecause({ event: order.event, tickets: [ticket] });
  return because && words.voidBecause(because);
}

/** What a ticket document contains besides the tickets. */
export interface PaperParts {
  /** In the buyer's language. */
  words: Words;
  /** JPEG, 16:10. */
  poster: Buffer | null;
  support: string | undefined;
  /** Any URL of the website. Links to the event are built from it. */
  siteUrl: string;
}

/** Margin of a US letter page, in points. */
const MARGIN = 54;
const RIGHT = 612 - MARGIN;
const INK = '#12152b';
const SOFT = '#5b6078';
const ACCENT = '#b3124f';

/** Draws the logo: a ring road with one way in, as in the header of the website. */
function drawMark(pdf: PDFKit.PDFDocument, left: number, top: number): void {
  const radius = 8;
  const turn = 2 * Math.PI * radius;
  // Draws the road as a dash and the way in as a gap, from 284 to 347 degrees. pdfkit begins a circle at 180,
  // clockwise.
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

/** Draws the logo, the ticket's number, the event and its picture. Returns the y position below. */
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
  drawText(pdf, fullAddress(event), { face: text, size: 13, x: MARGIN, y: pdf.y, width, maxLines: 3 });
  if (parts.isGoing) {
    const eventUrl = new URL(`/event/${event.id}`, parts.siteUrl).href;
    pdf.font('text').fontSize(11).moveDown(0.3).fillColor(ACCENT);
    pdf.text(words.map, { width, link: mapUrl(fullAddress(event)), underline: true });
    if (event.status !== 'postponed')
      pdf.text(words.googleCalendar, { width, link: calendarUrl(event, eventUrl), underline: true });
  }
  return Math.max(pdf.y + 24, 250);
}

/** Draws the names and values of one admission, next to its QR code. */
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

/** Draws one PDF per order, one page per admission. A void ticket has no QR code and is marked as void. */
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
  // Opened once, because all pages share it.
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
