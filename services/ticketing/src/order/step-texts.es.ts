import { ticketCount } from '@beltway/contracts/ticketing/order-lines';
import type { Manager, ReturnReason, SaleEvent } from '../sale/events.ts';

const tickets = (quantity: number, one: string, many: string): string =>
  quantity === 1 ? `1 boleto ${one}` : `${quantity} boletos ${many}`;

const RETURNED: Record<ReturnReason, string> = {
  'event-canceled': 'el evento se canceló',
  'refunded-by-provider': 'el pago se retiró',
  'refunded-by-organizer': 'reembolso de quien organiza',
  'refunded-by-admin': 'reembolso de un administrador',
  'canceled-by-buyer': 'cancelación de quien compró',
};

const CORRECTED: Record<Manager, string> = {
  organizer: 'Quien organiza corrigió el correo electrónico. El pedido tiene un enlace nuevo.',
  admin: 'Administración corrigió el correo electrónico. El pedido tiene un enlace nuevo.',
};

/** The text of a log event in an order's history, in Spanish. */
export function spanish({ type, data }: SaleEvent): string | null {
  switch (type) {
    case 'TicketsHeld':
      return `${tickets(ticketCount(data.lines), 'apartado', 'apartados')}.`;
    case 'PaymentAttached':
      return 'Se abrió el pago.';
    case 'HoldExtended':
      return data.reason === 'asked' ? 'Se pidió más tiempo.' : 'Se amplió el apartado para el pago.';
    case 'HoldReleased':
      return data.reason === 'expired' ? 'El apartado venció.' : 'El apartado se liberó.';
    case 'TicketsSold':
      return `${tickets(ticketCount(data.lines), 'vendido', 'vendidos')}.`;
    case 'PaymentNotFulfilled':
      return 'El pago no obtuvo boletos y se está reembolsando.';
    case 'TicketsReturned':
      return `${tickets(data.tickets.length, 'anulado', 'anulados')}: ${RETURNED[data.reason]}.`;
    case 'OrderFrozen':
      return 'Los boletos están congelados: un banco disputa el pago.';
    case 'OrderVoided':
      return 'Los boletos están anulados: un banco retiró el pago.';
    case 'OrderThawed':
      if (data.isVoid) return 'Una disputa terminó; los boletos siguen anulados por otra.';
      return data.isFrozen ? 'Una disputa terminó; otra sigue abierta.' : 'La disputa terminó.';
    case 'MoneyWithdrawn':
      return 'El pago se retiró antes de comprar algo.';
    case 'OrderClaimed':
      return 'El pedido se guardó en una cuenta.';
    case 'LinkRenewed':
      return data.correctedBy ? CORRECTED[data.correctedBy] : 'El pedido tiene un enlace nuevo.';
    case 'SaleOpened':
    case 'SaleChanged':
    case 'SaleClosed':
      return null;
  }
}
