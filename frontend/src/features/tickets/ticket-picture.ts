import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { encode } from 'uqr';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { formatDays, formatTimes } from '../../lib/i18n/format.ts';
import { texts } from './texts.en.ts';

// Sizes in pixels. A phone shows the picture at about half this size.
const WIDTH = 900;
const MARGIN = 60;
const LINE = 52;

/** Draws a ticket as a picture to send: its event, the QR code, and the code's text. */
export async function ticketPicture(event: TicketEvent, ticket: Ticket & { qrCode: string }): Promise<File> {
  const { data, size } = encode(ticket.qrCode, { ecc: 'M', border: 2 });
  const module = Math.floor((WIDTH - 2 * MARGIN) / size);
  const date =
    event.status === 'postponed' ? [] : [formatDays(event), formatTimes(event.eventStartTime, event.eventEndTime)];
  const above = [event.title, ...date, event.location];
  const below = [ticket.ticketCode, textsNow(texts)('oneEach')];
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = 2 * MARGIN + (above.length + below.length + 1) * LINE + size * module;
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('this browser draws no pictures');

  const look = getComputedStyle(document.documentElement);
  paint.fillStyle = look.getPropertyValue('--color-qr-paper');
  paint.fillRect(0, 0, WIDTH, canvas.height);
  paint.fillStyle = look.getPropertyValue('--color-qr-ink');
  paint.font = `${LINE * 0.7}px ${look.getPropertyValue('--font-text') || 'sans-serif'}`;
  paint.textAlign = 'center';
  const write = (lines: string[], top: number) =>
    lines.forEach((line, at) => paint.fillText(line, WIDTH / 2, top + (at + 0.75) * LINE, WIDTH - 2 * MARGIN));
  write(above, MARGIN);
  const top = MARGIN + (above.length + 0.5) * LINE;
  const left = (WIDTH - size * module) / 2;
  data.forEach((row, y) =>
    row.forEach((isDark, x) => isDark && paint.fillRect(left + x * module, top + y * module, module, module)),
  );
  write(below, top + size * module + LINE / 2);

  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/png');
  const blob = await promise;
  if (!blob) throw new Error('the picture is empty');
  return new File([blob], `ticket-${ticket.ticketCode}.png`, { type: 'image/png' });
}
