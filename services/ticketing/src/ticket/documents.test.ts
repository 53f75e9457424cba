import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { toBuffer } from 'qrcode';
import { expect, test } from 'vitest';
import { aTicketEvent } from '@beltway/contracts/testing/events';
import type { EventStatus } from '@beltway/contracts/catalog/events';
import type { TicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { wordsIn } from '../words/words.ts';
import { calendar as calendarIn } from './calendar.ts';
import { qrPng, ticketsPdf } from './documents.ts';

const ORDER_ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
/** The smallest JPEG: one white pixel. */
const JPEG = Buffer.from(
  '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z',
  'base64',
);
const FILE = { url: 'https://beltway.test/order', from: 'Beltway <tickets@beltway.test>' };
const calendar = (order: Parameters<typeof calendarIn>[0], now = new Date()) =>
  calendarIn(order, wordsIn.en, { ...FILE, now });
const PARTS = { words: wordsIn.en, poster: null, support: 'help@beltway.test', siteUrl: 'https://beltway.test/x' };
const order = (status: TicketStatus, eventStatus: EventStatus = 'published') => ({
  orderId: ORDER_ID,
  orderNumber: '4F7K-2M9Q',
  ...{ refundable: true, refundableUntil: '2030-05-31T23:00:00.000Z' },
  event: aTicketEvent({ id: 42, title: 'Night', location: 'The Wharf', status: eventStatus }),
  tickets: [1, 2].map((n): Order['tickets'][number] => ({
    ...{
      id: ORDER_ID,
      orderId: ORDER_ID,
      orderNumber: '4F7K-2M9Q',
      eventId: 42,
      purchaseDate: '2030-05-01T00:00:00.000Z',
      quantity: 1,
    },
    ...{ ticketCode: `ABCD-EFGH-000${n}`, ticketHolderName: 'Ann', ticketHolderEmail: 'ann@example.test' },
    ...{ ticketType: 'general', price: 25, isCheckedIn: false, checkedInAt: null },
    qrCode: status === 'valid' ? `BW1.${ORDER_ID}.42.ABCD-EFGH-000${n}.${'x'.repeat(86)}` : null,
    status,
  })),
});

/** Reads the content of a PDF: its texts in both fonts, and the number of rectangles per page. */
function readPdf(pdf: Buffer) {
  // Matches only line feeds, which pdfkit writes, because a stream may end with a byte that is a carriage return.
  const streams = [...pdf.toString('latin1').matchAll(/stream\n(.*?)\nendstream/gs)].flatMap(([, body = '']) => {
    try {
      return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  const fonts = streams
    .filter((stream) => stream.includes('beginbfrange'))
    .map((map) => [...map.slice(map.indexOf('beginbfrange')).matchAll(/\[(.*?)\]/gs)])
    .map((rows) => rows.flatMap(([, row = '']) => [...row.matchAll(/<([0-9a-f ]*)>/g)].map(([, code = '']) => code)))
    .map((codes) =>
      codes.map((code) => String.fromCharCode(...(code.match(/[0-9a-f]{4}/g) ?? []).map((hex) => parseInt(hex, 16)))),
    );
  const pages = streams.filter((stream) => stream.includes(' Tf'));
  const texts = pages.flatMap((page) =>
    [...page.matchAll(/\[(.*?)\] TJ/g)].flatMap(([, shown = '']) => {
      const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
      return fonts.map((font) => glyphs.map((glyph) => font[parseInt(glyph, 16)] ?? '').join(''));
    }),
  );
  const glyphs = pages.flatMap((page) =>
    [...page.matchAll(/\[(.*?)\] TJ/g)].flatMap(([, shown = '']) =>
      [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []),
    ),
  );
  return {
    /** The number of characters that the font lacks (glyph 0). */
    boxes: glyphs.filter((glyph) => glyph === '0000').length,
    pages: pages.length,
    text: texts.join('\n'),
    rectangles: pages.map((page) => page.match(/ re$/gm)?.length ?? 0),
  };
}

test('a PDF has a page with a code for each admission', async () => {
  const pdf = readPdf(await ticketsPdf(order('valid'), PARTS));
  expect(pdf.pages).toBe(2);
  expect(pdf.text).toContain('One admission');
  expect(pdf.text).not.toMatch(/void/i);
  expect(Math.min(...pdf.rectangles)).toBeGreaterThan(200);
});

/** The link targets of a PDF. */
const linksOf = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/URI \((.*?)\)\n/g)].map(([, url]) => url);

test('a PDF has the order number, directions, a calendar, the support address and the event’s picture once', async () => {
  const file = await ticketsPdf(order('valid'), { ...PARTS, poster: JPEG });
  const { text, pages } = readPdf(file);
  const words = text.replace(/\s+/g, ' ');
  for (const said of ['Beltway', '4F7K-2M9Q', 'Questions? Email help@beltway.test and mention order 4F7K-2M9Q.'])
    expect(words).toContain(said);
  expect(text).not.toContain(ORDER_ID);
  const links = linksOf(file);
  expect(links.filter((url) => url?.startsWith('https://www.google.com/maps/search/'))).toHaveLength(pages);
  expect(links.filter((url) => url?.startsWith('https://calendar.google.com/'))).toHaveLength(pages);
  expect(file.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1);
});

test.each([
  [{ refundable: true }, 'Full refund until Fri, May 31, 2030, 7 PM ET'],
  [{ refundable: false }, 'The refund deadline (Fri, May 31, 2030, 7 PM ET) has passed.'],
  [{ refundable: false, refundableUntil: null }, 'These tickets are non-refundable.'],
])('a PDF states until when the buyer may cancel: %o', async (terms, words) => {
  const { text } = readPdf(await ticketsPdf({ ...order('valid'), ...terms }, PARTS));
  expect(text.replace(/\s+/g, ' ')).toContain(words);
  const gone = readPdf(await ticketsPdf({ ...order('refunded'), ...terms }, PARTS));
  expect(gone.text).not.toContain('Full refund');
});

test('a PDF of void tickets has no links', async () => {
  expect(linksOf(await ticketsPdf(order('refunded'), PARTS))).toEqual([]);
});

test('with a long title, location and name the code stays on its page, with or without a picture', async () => {
  const long = 'An Evening of Very Long Names '.repeat(12);
  const sold = order('valid');
  const wide = {
    ...sold,
    event: { ...sold.event, title: long, location: long },
    tickets: sold.tickets.map((ticket) => ({ ...ticket, ticketHolderName: long.slice(0, 100) })),
  };
  for (const poster of [null, JPEG]) {
    const pdf = readPdf(await ticketsPdf(wide, { ...PARTS, poster }));
    expect(pdf.pages).toBe(2);
    expect(Math.min(...pdf.rectangles)).toBeGreaterThan(200);
  }
});

test('in a partly refunded order each page states whether its ticket admits; the calendar entry stays', async () => {
  const [one, two] = [order('valid'), order('refunded')];
  const sold = { ...one, tickets: [one.tickets[0]!, two.tickets[1]!] };
  const pdf = readPdf(await ticketsPdf(sold, PARTS));
  expect(pdf.rectangles.map((count) => count > 200)).toEqual([true, false]);
  expect(pdf.text).toContain('One admission');
  expect(pdf.text).toContain('Void: this ticket admits no one.');
  expect(await calendar(sold)).toContain('METHOD:PUBLISH');
});

test.each([
  ['the event was canceled', order('canceled', 'canceled'), 'The organizer canceled this event'],
  ['canceled and paid back', order('refunded', 'canceled'), 'The organizer canceled this event'],
  ['the money goes back', order('refunding'), 'This ticket is being refunded'],
  ['the money went back', order('refunded'), 'This ticket is being refunded'],
  ['a bank disputes it', order('frozen'), 'A bank is disputing its payment'],
  ['a bank decided twice', order('disputed'), 'The payment for this ticket was disputed'],
])('a PDF of void tickets has no code and no admission, and states why: %s', async (_why, sold, because) => {
  const file = await ticketsPdf(sold, PARTS);
  const pdf = readPdf(file);
  expect(pdf.pages).toBe(2);
  expect(pdf.text).toContain('VOID');
  expect(pdf.text.replace(/\s+/g, ' ')).toContain(because);
  expect(pdf.text).not.toContain('One admission');
  expect(Math.max(...pdf.rectangles)).toBeLessThan(5);
});

test.each([
  ['Hebrew', 'ערב ג׳אז (חינם) 2030', 'שרה כהן'],
  ['Arabic', 'أمسية موسيقية 2030', 'محمد بن عبد الله'],
  ['Thai', 'เทศกาลสงกรานต์', 'สมชาย ใจดี'],
  ['Chinese', '北京《烤鸭》之夜', '王小明'],
  ['Korean', '한인 축제', '김민수'],
  ['Ethiopic', 'አዲስ ዓመት', 'ሳራ'],
  ['Cyrillic and Greek', 'Хор Ελλάδα', 'Łukasz Nguyễn'],
  ['emoji', '🎉 Party 👩🏽‍🍳', 'Zed 😀'],
])(
  'title, place and holder in %s are no boxes, and all else stays in the font it was in',
  async (_script, title, name) => {
    const sold = order('valid');
    const tickets = sold.tickets.map((ticket) => ({ ...ticket, ticketHolderName: name }));
    const pdf = readPdf(
      await ticketsPdf({ ...sold, event: { ...sold.event, title, location: `${title}, ${name}` }, tickets }, PARTS),
    );
    expect([pdf.pages, pdf.boxes]).toEqual([2, 0]);
    for (const said of ['Holder', 'ABCD-EFGH-0002', 'One admission', '7 PM ET']) expect(pdf.text).toContain(said);
    // In these scripts letters join into other glyphs, so they are not compared.
    if (!/[\p{Script=Arabic}\p{M}\u200d]/u.test(title + name))
      for (const word of `${title} ${name}`.match(/[\p{L}\p{N}]+/gu)!)
        for (const letter of word) expect(pdf.text, word).toContain(letter);
  },
);

test('with the longest title and name the code and all texts fit on the page', async () => {
  const sold = order('valid');
  const piles = 'Z\u0335\u0316\u0300'.repeat(50);
  for (const long of ['x'.repeat(200), 'أ'.repeat(200), '王'.repeat(200), '👩🏽‍🍳'.repeat(28), piles]) {
    const tickets = sold.tickets.map((ticket) => ({ ...ticket, ticketHolderName: long.slice(0, 100) }));
    const pdf = readPdf(
      await ticketsPdf({ ...sold, event: { ...sold.event, title: long, location: long }, tickets }, PARTS),
    );
    expect([pdf.pages, pdf.boxes], long.slice(0, 9)).toEqual([2, 0]);
    expect(pdf.text).toContain('One admission');
  }
});

const lineOf = (file: string, name: string) => new RegExp(`^${name}[:;](.*)`, 'm').exec(file)?.[1]?.trim();

test('the calendar file of void tickets removes the entry that the valid tickets added', async () => {
  const valid = await calendar(order('valid'));
  const gone = await calendar(order('refunded'));
  expect(['METHOD', 'STATUS'].map((name) => lineOf(valid, name))).toEqual(['PUBLISH', 'CONFIRMED']);
  expect(['METHOD', 'STATUS'].map((name) => lineOf(gone, name))).toEqual(['CANCEL', 'CANCELLED']);
  for (const name of ['UID', 'ORGANIZER', 'DTSTART', 'DTEND']) {
    expect(lineOf(gone, name), name).toBeTruthy();
    expect(lineOf(gone, name), name).toBe(lineOf(valid, name));
  }
});

test('a calendar entry disappears while its event has no date or a bank has the money, and returns afterwards', async () => {
  const states = [
    [order('valid'), 'PUBLISH', 'CONFIRMED'],
    [order('valid', 'postponed'), 'CANCEL', 'CANCELLED'],
    [order('valid'), 'PUBLISH', 'CONFIRMED'],
    [order('disputed'), 'CANCEL', 'CANCELLED'],
    [order('valid'), 'PUBLISH', 'CONFIRMED'], // the dispute was won after all
    [order('refunded'), 'CANCEL', 'CANCELLED'],
    [order('refunded', 'canceled'), 'CANCEL', 'CANCELLED'],
  ] as const;
  let latest = -1;
  for (const [at, [sold, method, status]] of states.entries()) {
    const file = await calendar(sold, new Date(Date.UTC(2026, 10, 30, 12, 0, at)));
    expect([lineOf(file, 'METHOD'), lineOf(file, 'STATUS')], `state ${at}`).toEqual([method, status]);
    expect(lineOf(file, 'UID')).toBe(`order-${ORDER_ID}@beltway`);
    // A calendar app ignores a file whose sequence is lower than its entry's.
    const sequence = Number(lineOf(file, 'SEQUENCE'));
    expect(sequence).toBeGreaterThan(latest);
    latest = sequence;
  }
});

test('a ticket for a postponed event has its code and states that it is valid for the new date', async () => {
  const { text, rectangles } = readPdf(await ticketsPdf(order('valid', 'postponed'), PARTS));
  expect(rectangles[0]).toBeGreaterThan(0);
  expect(text).toContain('Postponed, new date to be announced');
  expect(text).toContain('One admission, valid for the new date.');
  expect(text).not.toContain('Add to Google Calendar');
});

test('the calendar entry of another order for the same event stays', async () => {
  const other = { ...order('valid'), orderId: ORDER_ID.replace('0b', '1b') };
  const uid = async (sold: typeof other) => /^UID:.*/m.exec(await calendar(sold))?.[0];
  expect(await uid(other)).not.toBe(await uid(order('refunded')));
});

test('the picture of a QR code equals the picture that qrcode draws, in a smaller file', async () => {
  const text = `BW1.0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10.42.ABCD-EFGH-JKMN.${'xY9-_'.repeat(17)}`;
  const ours = await qrPng(text);
  const theirs = await toBuffer(text, { errorCorrectionLevel: 'M', margin: 2, scale: 6 });
  const [a, b] = [PNG.sync.read(ours), PNG.sync.read(theirs)];
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  expect(a.data.equals(b.data)).toBe(true);
  expect(ours.length).toBeLessThan(theirs.length);
});
