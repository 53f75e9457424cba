/** Kinds of mails about an order. */
export const texts = {
  tickets: 'boletos',
  'too-late': 'pago tardío',
  underpaid: 'pago incompleto',
  'event-canceled': 'evento cancelado',
  'event-changed': 'evento cambiado',
  'refunded-by-provider': 'pago retirado',
  'refund-asked': 'reembolso pedido',
  'refund-sent': 'reembolso enviado',
  'refund-failed': 'reembolso fallido',
  'part-sent': 'reembolso parcial enviado',
  'part-failed': 'reembolso parcial fallido',
  'new-link': 'otro enlace',
  'address-corrected': 'dirección corregida',
  'message-to-organizer': 'mensaje a quien organiza',
  'message-to-buyer': 'mensaje a quien compró',
};
