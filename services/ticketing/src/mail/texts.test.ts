import { expect, test } from 'vitest';
import type { EventStatus } from '@beltway/contracts/catalog/events';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { aTicketEvent } from '@beltway/contracts/testing/events';
import type { TicketStatus } from '@beltway/contracts/ticketing/ticket-status';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { wordsIn } from '../words/words.ts';
import { changeTexts } from './changes.ts';
import type { MailKind } from './queue.ts';
import { papersHere } from '../ticket/testing.ts';
import { changedMail, newLinkMail, orderMail, refundMail, type MailContext } from './texts.ts';

const ORDER_ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const REFUND_ID = '1c9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f11';
const SENT = new Date('2030-05-03T16:05:00.000Z');

function anOrder(
  status: TicketStatus,
  { eventStatus = 'published' as EventStatus, refunds = [] as OrderRefund[], eventStartTime = '19:00' } = {},
): Order {
  const common = { orderId: ORDER_ID, orderNumber: '4F7K-2M9Q' };
  return {
    ...common,
    ...{ status: 'fulfilled', quantity: 2, priceCents: 2_550, amount: 5_100, holdUntil: null, extendable: false },
    ...{ ticketHolderName: 'Ana', ticketHolderEmail: 'ana@example.test', createdAt: '2030-05-01T00:00:00.000Z' },
    ...{ claimable: false, refundable: false, refundableUntil: null, refunds },
    event: aTicketEvent({ id: 42, title: 'Noche', location: 'The Wharf', status: eventStatus, eventStartTime }),
    tickets: [1, 2].map((n): Order['tickets'][number] => ({
      ...common,
      ...{ id: ORDER_ID, eventId: 42, quantity: 1, purchaseDate: '2030-05-01T00:00:00.000Z' },
      ...{ ticketCode: `ABCD-EFGH-000${n}`, ticketHolderName: 'Ana', ticketHolderEmail: 'ana@example.test' },
      ...{ ticketType: 'general', price: 25.5, isCheckedIn: false, checkedInAt: null },
      qrCode: status === 'valid' ? `BW1.${n}` : null,
      status,
    })),
  };
}
const spanish = (refundedAt: Date | null = null): MailContext => ({
  ...{ words: wordsIn.es, id: 'one', link: 'https://beltway.test/x', refundedAt, poster: null },
  papers: papersHere(),
  ...{ from: 'tickets@beltway.test', support: 'help@beltway.test' },
});
const aRefund = (state: OrderRefund['state'], ticketIds: string[]): OrderRefund => ({
  ...{ id: REFUND_ID, cause: 'refunded-by-organiser', reason: 'Llueve', amount: 2_550, state, ticketIds },
  ...{ requestedAt: '2030-05-02T16:05:00.000Z', refundedAt: state === 'refunded' ? SENT.toISOString() : null },
});

test('the tickets come in Spanish: facts, codes and whom to ask', async () => {
  const mail = (await orderMail('tickets', anOrder('valid'), spanish()))!;
  expect(mail.subject).toBe('Tus 2 boletos para Noche');
  for (const said of [
    'Hola, Ana: muestra un código por persona en la puerta',
    'Boletos: 2 × $25.50',
    'Total: $51.00, todo incluido',
    'Pedido: 4F7K-2M9Q',
    'Abrir tus boletos: https://beltway.test/x',
    'Boleto 2 de 2: ABCD-EFGH-0002',
    '¿Preguntas? Escribe a help@beltway.test y menciona el pedido 4F7K-2M9Q.',
  ])
    expect(mail.text).toContain(said);
  expect(mail.html).toContain('<html lang="es">');
  expect(mail.html).toContain('alt="Código QR del boleto ABCD-EFGH-0001"');
  const calendar = mail.attachments.find(({ filename }) => filename === 'event.ics')!.content.toString();
  expect(calendar).toContain('2 boletos\\, pedido 4F7K-2M9Q');
});

test('mails with valid tickets state until when their buyer may cancel; others do not', async () => {
  const bought = { ...anOrder('valid'), refundable: true, refundableUntil: '2030-05-31T23:00:00.000Z' };
  const told = async (order: Order, words: MailContext['words']) =>
    (await orderMail('tickets', order, { ...spanish(), words }))!.text;
  expect(await told(bought, wordsIn.en)).toContain(
    'Cancellation: You can cancel tickets until Fri, May 31, 2030, 7 PM ET and get the whole price back.',
  );
  expect(await told({ ...bought, refundable: false }, wordsIn.es)).toMatch(/Cancelación: .* Ese plazo ya pasó\./);
  expect(await told(anOrder('valid'), wordsIn.en)).toContain('Tickets cannot be cancelled by their buyer.');
  expect((await orderMail('too-late', anOrder('refunded'), spanish()))!.text).not.toContain('Cancelación');
});

test('tickets of a postponed event say so in Spanish', async () => {
  const mail = (await orderMail('tickets', anOrder('valid', { eventStatus: 'postponed' }), spanish()))!;
  expect(mail.text).toContain('Quien organiza este evento lo pospuso. Tus boletos son válidos para la nueva fecha');
  expect(mail.text).toContain('Cuándo: Pospuesto, pronto habrá nueva fecha (era el ');
});

test.each<[MailKind, string, string, Date | null]>([
  ['too-late', 'Te devolvemos tu dinero de Noche', 'Pedimos tu reembolso de $51.00', null],
  ['underpaid', 'Te devolvemos tu dinero de Noche', 'Llegó menos de lo que cuestan tus boletos', null],
  ['event-cancelled', 'Noche se canceló: tu reembolso', 'Quien organiza este evento lo canceló.', null],
  ['refunded-by-provider', 'Tus boletos para Noche ya no son válidos', 'Los $51.00 te llegan por tu banco.', null],
  ['refund-sent', 'Se envió tu reembolso de Noche', '$51.00 volvieron a tu tarjeta.', SENT],
  ['refund-failed', 'Tu reembolso de Noche no te ha llegado', 'Intentamos enviarte $51.00 otra vez', null],
])('%s is told in Spanish', async (kind, subject, said, refundedAt) => {
  const mail = (await orderMail(kind, anOrder('refunded'), spanish(refundedAt)))!;
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain('Hola, Ana:');
  expect(mail.text).toContain(said);
});

test.each([
  ['refund-asked', 'requested', 'Tu reembolso de Noche', '1 boleto de tu pedido ya no es válido. Motivo: Llueve'],
  ['part-sent', 'refunded', 'Se envió tu reembolso de Noche', 'Se envió tu reembolso de 1 boleto.'],
  ['part-failed', 'failed', 'Tu reembolso de Noche no te ha llegado', 'Tu banco no aceptó el reembolso'],
] as const)('%s of some tickets is told in Spanish', async (kind, state, subject, said) => {
  const order = anOrder('valid', { refunds: [aRefund(state, [ORDER_ID])] });
  const mail = (await refundMail(kind, REFUND_ID, order, spanish()))!;
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(said);
  expect(mail.text).toContain('Reembolso: $25.50, ');
  expect(mail.text).toMatch(/el \d+ (de )?may/);
});

test('all of an order that goes back is told of in Spanish', async () => {
  const order = anOrder('refunded', { refunds: [aRefund('requested', [ORDER_ID, REFUND_ID])] });
  const mail = (await refundMail('refund-asked', REFUND_ID, order, spanish()))!;
  expect(mail.text).toContain('Quien organiza este evento reembolsa tu pedido. Tus boletos ya no son válidos.');
});

test('a new link is told of in Spanish', () => {
  const mail = newLinkMail(anOrder('valid'), 1, spanish());
  expect(mail.subject).toBe('Tu nuevo enlace para Noche');
  expect(mail.text).toContain('Los códigos QR siguen igual.');
});

test('a moved and a postponed event, and its new date, are told in Spanish', async () => {
  const moved = anOrder('valid', { eventStartTime: '21:30' });
  const before = { ...anOrder('valid').event, location: 'Anacostia Park' };
  const told = changeTexts(moved, before, wordsIn.es)!;
  const mail = await changedMail(told, moved, spanish());
  expect(mail.subject).toBe('Noche: nueva hora y nuevo lugar');
  expect(mail.text).toMatch(/Ahora: .+ 9:30 p\.m\..*, The Wharf\./);
  expect(mail.text).toContain('Dónde, antes: Anacostia Park');
  expect(mail.text).toContain('event.ics pone al día tu calendario.');
  const postponed = anOrder('valid', { eventStatus: 'postponed' });
  expect(changeTexts(postponed, moved.event, wordsIn.es)).toMatchObject({
    subject: 'Noche se pospuso',
    now: expect.stringMatching(/^Tus boletos siguen siendo válidos/),
  });
  expect(changeTexts(moved, postponed.event, wordsIn.es)!.subject).toBe('Noche tiene nueva fecha');
});
