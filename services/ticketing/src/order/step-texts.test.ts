import { describe, expect, test } from 'vitest';
import { linesOf } from '@beltway/contracts/testing/lines';
import type { ReturnReason, SaleEvent } from '../sale/events.ts';
import { english } from './step-texts.en.ts';
import { spanish } from './step-texts.es.ts';

const ORDER = { orderId: 'o', lines: linesOf(2), tickets: [{}, {}], paymentId: 'pi_1', amountCents: 5_000 };
const of = (type: SaleEvent['type'], data: object = {}) => ({ type, data: { ...ORDER, ...data } }) as SaleEvent;

describe('an order’s history is translated into each language', () => {
  test.each([
    [of('TicketsHeld'), '2 tickets held.', '2 boletos apartados.'],
    [of('TicketsHeld', { lines: linesOf(1) }), '1 ticket held.', '1 boleto apartado.'],
    [of('PaymentAttached'), 'The checkout was opened.', 'Se abrió el pago.'],
    [of('HoldExtended', { reason: 'asked' }), 'More time was requested.', 'Se pidió más tiempo.'],
    [of('HoldReleased', { reason: 'expired' }), 'The hold expired.', 'El apartado venció.'],
    [of('TicketsSold', { lines: linesOf(1) }), '1 ticket sold.', '1 boleto vendido.'],
    [
      of('PaymentNotFulfilled'),
      'The payment got no tickets and is being refunded.',
      'El pago no obtuvo boletos y se está reembolsando.',
    ],
    [of('OrderThawed', { isFrozen: false }), 'The dispute is over.', 'La disputa terminó.'],
    [
      of('OrderVoided', { isFrozen: false }),
      'The tickets are void: a bank took the payment back.',
      'Los boletos están anulados: un banco retiró el pago.',
    ],
    [
      of('OrderThawed', { isFrozen: false, isVoid: true }),
      'A dispute is over; the tickets stay void because of another one.',
      'Una disputa terminó; los boletos siguen anulados por otra.',
    ],
    [of('LinkRenewed'), 'The order has a new link.', 'El pedido tiene un enlace nuevo.'],
    [
      of('LinkRenewed', { correctedBy: 'admin' }),
      'An admin corrected the email address. The order has a new link.',
      'Administración corrigió el correo electrónico. El pedido tiene un enlace nuevo.',
    ],
  ])('%j', (event, en, es) => {
    expect(english(event)).toBe(en);
    expect(spanish(event)).toBe(es);
  });

  test.each<[ReturnReason, string, string]>([
    ['event-canceled', '2 tickets voided: the event was canceled.', '2 boletos anulados: el evento se canceló.'],
    [
      'refunded-by-organizer',
      '2 tickets voided: refunded by the organizer.',
      '2 boletos anulados: reembolso de quien organiza.',
    ],
    [
      'canceled-by-buyer',
      '2 tickets voided: canceled by the buyer.',
      '2 boletos anulados: cancelación de quien compró.',
    ],
  ])('returned: %s', (reason, en, es) => {
    expect(english(of('TicketsReturned', { reason }))).toBe(en);
    expect(spanish(of('TicketsReturned', { reason }))).toBe(es);
  });

  test('events that are not about an order have no text', () => {
    for (const type of ['SaleOpened', 'SaleChanged', 'SaleClosed'] as const)
      expect([english(of(type)), spanish(of(type))]).toEqual([null, null]);
  });
});
