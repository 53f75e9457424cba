import type { Translated } from '../i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  cancelTitle: 'Cancelar boletos',
  cancelKeep: 'Conservar mis boletos',
  cancelDone: 'Boletos cancelados',
  cancelUnder: 'Cancelando…',
  refundTitle: 'Reembolsar boletos',
  refundKeep: 'No reembolsar',
  refundDone: 'Reembolso solicitado',
  refundUnder: 'Reembolsando…',
  doneWhat: '{count, plural, one {{sum} por # boleto.} other {{sum} por # boletos.}}',
  cancelWhat: '{count, plural, one {Cancelar # boleto · {sum}} other {Cancelar # boletos · {sum}}}',
  refundWhat: '{count, plural, one {Reembolsar # boleto · {sum}} other {Reembolsar # boletos · {sum}}}',
  which: 'Qué boletos',
  ticketNumber: 'Boleto {number}',
  notValid: ' · ya no es válido',
  reason: 'Motivo',
  reasonHint: 'Lo lee quien compró.',
  atOnce:
    'Sus códigos dejan de servir de inmediato y los boletos vuelven a la venta. El dinero regresa a la tarjeta con que se pagó. Esto no se puede deshacer.',
} as const satisfies Translated<typeof english>;
