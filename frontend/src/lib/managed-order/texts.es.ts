import type { Translated } from '../i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  notLoaded: 'No se pudo cargar el pedido',
  loading: 'Cargando el pedido',
  history: 'Historial',
  ticketLine: 'Boleto {number}: {price}, {status}',
  refundLine: '{when}: {amount}, {state}',
  valid: 'válido',
  frozen: 'en pausa',
  cancelled: 'cancelado',
  refunding: 'reembolso en curso',
  refunded: 'reembolsado',
  disputed: 'disputado',
  requested: 'solicitado',
  unknown: 'desconocido',
  failed: 'fallido',
  historyLine: '{when}: {text}',
} as const satisfies Translated<typeof english>;
