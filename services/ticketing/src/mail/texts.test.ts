import { expect, test } from 'vitest';
import type { Order } from '@beltway/contracts/ticketing/tickets';
import { checkSamples } from '@beltway/kit/testing-mail';
import { wordsIn } from '../words/words.ts';
import { changeTexts } from './changes.ts';
import type { MailKind } from './queue.ts';
import { sampleContext, sampleOrder, sampleRefund, samplesWith } from './samples.ts';
import { papersHere } from '../ticket/testing.ts';
import { changedMail, newLinkMail, orderMail, refundMail, type MailContext } from './texts.ts';

const papers = papersHere();
const ORDER = sampleOrder('valid');
const REFUND = sampleRefund('requested');
const spanish = (isRefunded = false): MailContext => sampleContext(papers, 'es', isRefunded);

checkSamples('ticketing', samplesWith(papers));

test('the tickets mail in Spanish has facts, codes and the support address', async () => {
  const mail = (await orderMail('tickets', sampleOrder('valid'), spanish()))!;
  expect(mail.subject).toBe('Tus 2 boletos para Noche');
  for (const said of [
    'Hola, Maya: muestra un código por persona en la puerta',
    'Boletos: 2 × $25.50',
    'Total: $51.00, todo incluido',
    'Pedido: 4F7K-2M9Q',
    'Abrir tus boletos: https://beltway.test/ticket-success',
    'Boleto 2 de 2: ABCD-EFGH-0002',
    '¿Preguntas? Escribe a help@beltway.test y menciona el pedido 4F7K-2M9Q.',
  ])
    expect(mail.text).toContain(said);
  expect(mail.html).toContain('<html lang="es">');
  expect(mail.html).toContain('alt="Código QR del boleto ABCD-EFGH-0001"');
  const calendar = mail.attachments.find(({ filename }) => filename === 'event.ics')!.content.toString();
  expect(calendar).toContain('2 boletos\\, pedido 4F7K-2M9Q');
});

test('only mails with valid tickets state until when the buyer may cancel', async () => {
  const bought = { ...sampleOrder('valid'), refundable: true, refundableUntil: '2030-05-31T23:00:00.000Z' };
  const told = async (order: Order, words: MailContext['words']) =>
    (await orderMail('tickets', order, { ...spanish(), words }))!.text;
  expect(await told(bought, wordsIn.en)).toContain('Cancellation: Full refund until Fri, May 31, 2030, 7 PM ET.');
  expect(await told({ ...bought, refundable: false }, wordsIn.es)).toMatch(
    /Cancelación: El plazo de reembolso .* ya pasó\./,
  );
  expect(await told(sampleOrder('valid'), wordsIn.en)).toContain('These tickets are non-refundable.');
  expect((await orderMail('too-late', sampleOrder('refunded'), spanish()))!.text).not.toContain('Cancelación');
});

test('tickets of a postponed event are marked as postponed in Spanish', async () => {
  const mail = (await orderMail('tickets', sampleOrder('valid', { eventStatus: 'postponed' }), spanish()))!;
  expect(mail.text).toContain('Quien organiza este evento lo pospuso. Tus boletos son válidos para la nueva fecha');
  expect(mail.text).toContain('Cuándo: Pospuesto, pronto habrá nueva fecha (era el ');
});

test.each<[MailKind, string, string, boolean]>([
  ['too-late', 'Recibirás un reembolso de Noche', 'Pedimos tu reembolso de $51.00', false],
  ['underpaid', 'Recibirás un reembolso de Noche', 'Recibimos menos de lo que cuestan tus boletos', false],
  ['event-canceled', 'Noche se canceló: tu reembolso', 'Quien organiza este evento lo canceló.', false],
  ['refunded-by-provider', 'Tus boletos para Noche ya no son válidos', 'Recibes los $51.00 por tu banco.', false],
  ['refund-sent', 'Se envió tu reembolso de Noche', '$51.00 volvieron a tu tarjeta.', true],
  ['refund-failed', 'Tu reembolso de Noche no se pudo completar', 'Estamos intentando enviarte $51.00 otra vez', false],
])('the mail %s is in Spanish', async (kind, subject, said, isRefunded) => {
  const mail = (await orderMail(kind, sampleOrder('refunded'), spanish(isRefunded)))!;
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain('Hola, Maya:');
  expect(mail.text).toContain(said);
});

test.each([
  ['refund-asked', 'requested', 'Tu reembolso de Noche', '1 boleto de tu pedido ya no es válido. Motivo: Llueve'],
  ['part-sent', 'refunded', 'Se envió tu reembolso de Noche', 'Se envió tu reembolso de 1 boleto.'],
  ['part-failed', 'failed', 'Tu reembolso de Noche no se pudo completar', 'Tu banco no aceptó el reembolso'],
] as const)('%s of some tickets is told in Spanish', async (kind, state, subject, said) => {
  const order = sampleOrder('valid', { refunds: [sampleRefund(state)] });
  const mail = (await refundMail(kind, REFUND.id, order, spanish()))!;
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(said);
  expect(mail.text).toContain('Reembolso: $25.50, ');
  expect(mail.text).toMatch(/el \d+ (de )?may/);
});

test('a refund of a whole order is announced in Spanish', async () => {
  const order = sampleOrder('refunded', {
    refunds: [{ ...sampleRefund('requested'), ticketIds: [ORDER.orderId, REFUND.id] }],
  });
  const mail = (await refundMail('refund-asked', REFUND.id, order, spanish()))!;
  expect(mail.text).toContain('Quien organiza te está reembolsando tu pedido. Tus boletos ya no son válidos.');
});

test('a new link is announced in Spanish', () => {
  const mail = newLinkMail(sampleOrder('valid'), 1, spanish());
  expect(mail.subject).toBe('Tu nuevo enlace para Noche');
  expect(mail.text).toContain('Los códigos QR siguen igual.');
});

test('a moved and a postponed event, and its new date, are announced in Spanish', async () => {
  const moved = sampleOrder('valid', { eventStartTime: '21:30' });
  const before = { ...sampleOrder('valid').event, location: 'Anacostia Park' };
  const told = changeTexts(moved, before, wordsIn.es)!;
  const mail = await changedMail(told, moved, spanish());
  expect(mail.subject).toBe('Noche: nueva hora y nuevo lugar');
  expect(mail.text).toMatch(/Ahora: .+ 9:30 p\.m\..*, The Wharf\./);
  expect(mail.text).toContain('Lugar anterior: Anacostia Park');
  expect(mail.text).toContain('event.ics actualiza tu calendario.');
  const postponed = sampleOrder('valid', { eventStatus: 'postponed' });
  expect(changeTexts(postponed, moved.event, wordsIn.es)).toMatchObject({
    subject: 'Noche se pospuso',
    now: expect.stringMatching(/^Tus boletos siguen siendo válidos/),
  });
  expect(changeTexts(moved, postponed.event, wordsIn.es)!.subject).toBe('Noche tiene nueva fecha');
});
