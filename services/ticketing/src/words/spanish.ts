import type { Language } from '@beltway/contracts/common/languages';
import type { OrderRefund } from '@beltway/contracts/ticketing/refunds';
import { ZONE } from '@beltway/contracts/common/times';
import { easternText, plannedWhenText } from '@beltway/contracts/common/when';
import type { VoidReason, Words } from './english.ts';

const DAY = new Intl.DateTimeFormat('es-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE });
const count = (quantity: number) => `${quantity} ${quantity === 1 ? 'boleto' : 'boletos'}`;

const REFUND_STATES: Record<OrderRefund['state'], string> = {
  requested: 'pedido',
  refunded: 'enviado',
  failed: 'falló y se intenta de nuevo',
  unknown: 'en curso',
};

const WHO: Record<OrderRefund['cause'], string> = {
  'refunded-by-organizer': 'Quien organiza este evento reembolsa tu pedido.',
  'refunded-by-admin': 'Beltway reembolsa tu pedido.',
  'canceled-by-buyer': 'Cancelaste.',
  'event-canceled': 'Quien organiza este evento lo canceló.',
  'refunded-by-provider': 'El pago de este pedido se retiró.',
  'too-late': 'Tu pago llegó demasiado tarde.',
  underpaid: 'Tu pago fue menor que el precio.',
  'order-lost': 'El pedido de este pago se perdió.',
  unknown: 'Tu pedido se reembolsa.',
};

const VOID: Record<VoidReason, string> = {
  'event-canceled': 'Quien organiza este evento lo canceló.',
  disputed: 'El pago de este boleto se disputó.',
  returned: 'El dinero de este boleto se devuelve a quien lo compró.',
};

export const spanish: Words = {
  language: 'es' as Language,

  planned: (event) => plannedWhenText(event, 'es'),
  until: (start, end) => `${start} a ${easternText(end, 'es')}`,
  count,
  names: {
    event: 'Evento',
    when: 'Cuándo',
    where: 'Dónde',
    tickets: 'Boletos',
    total: 'Total',
    share: 'De eso',
    refund: 'Reembolso',
    canceling: 'Cancelación',
    order: 'Pedido',
    whenBefore: 'Cuándo, antes',
    whereBefore: 'Dónde, antes',
  },
  countOfOrder: (quantity, order) => `${count(quantity)}${order ? `, pedido ${order}` : ''}`,
  allIncluded: (amount) => `${amount}, todo incluido`,
  share: (organizer, fee) =>
    `${organizer} para quien organiza, ${fee} de comisión de Beltway (5%), cargo por procesamiento $0.00`,
  refundValue: (amount, state, at) => `${amount}, ${REFUND_STATES[state]} el ${DAY.format(at)} ET`,
  googleCalendar: 'Agregar a Google Calendar',
  map: 'Mapa y cómo llegar',
  help: (support, order) => `¿Preguntas? Escribe a ${support}${order ? ` y menciona el pedido ${order}` : ''}.`,
  foot: 'Beltway. Lo que hay esta noche en DC, Maryland y Virginia, y el boleto para ir.',
  hello: (name) => `Hola, ${name}:`,
  openTickets: 'Abrir tus boletos',
  seeOrder: 'Ver este pedido',
  qrOf: (code) => `Código QR del boleto ${code}`,
  ticketOf: (at, of) => `Boleto ${at} de ${of}`,

  yourTickets: (quantity, title) =>
    quantity === 1 ? `Tu boleto para ${title}` : `Tus ${count(quantity)} para ${title}`,
  postponedFirst:
    'Quien organiza este evento lo pospuso. Tus boletos son válidos para la nueva fecha, y te escribimos en cuanto haya una.',
  atTheDoor: (name, quantity, isPostponed) =>
    `Hola, ${name}: muestra un código por persona en la puerta, en pantalla o en papel. tickets.pdf ${quantity === 1 ? 'lo contiene' : 'los contiene todos'}, y event.ics ${isPostponed ? 'quita la fecha anterior de tu calendario' : 'pone la noche en cualquier calendario'}.`,

  newLink: (title) => `Tu nuevo enlace para ${title}`,
  newLinkPreview: 'Los enlaces de correos anteriores ya no abren tus boletos.',
  newLinkWhy: (hasCodes) =>
    `Pediste un nuevo enlace a tus boletos. Los enlaces de correos anteriores ya no los abren.${hasCodes ? ' Los códigos QR siguen igual.' : ''}`,

  oldDateOut: 'event.ics quita la fecha anterior de tu calendario.',
  calendarUpToDate: 'event.ics pone al día tu calendario.',
  placeToo: (place) => ` También cambió el lugar: ${place}.`,
  isPostponed: (title) => `${title} se pospuso`,
  isPostponedWhy: (before) => `Quien organiza este evento lo pospuso. Ya no es el ${before}.`,
  isPostponedNow: 'Tus boletos siguen siendo válidos para la nueva fecha. Te escribimos en cuanto haya una.',
  hasNewDate: (title) => `${title} tiene nueva fecha`,
  hasNewDateWhy: 'El evento se había pospuesto y ya tiene fecha otra vez.',
  hasNewDateNow: (when) => `Nueva fecha: ${when}. Tus boletos son válidos para ella.`,
  newTimeAndPlace: (title) => `${title}: nueva hora y nuevo lugar`,
  newTime: (title) => `${title}: nueva hora`,
  newPlace: (title) => `${title}: nuevo lugar`,
  now: (what) => `Ahora: ${what}.`,
  changedWhy: 'Quien organiza este evento lo cambió. Tus boletos siguen siendo válidos.',

  asked: (money) => `Pedimos tu reembolso de ${money} y te escribimos otra vez en cuanto esté en camino.`,
  sent: (money) => `${money} volvieron a tu tarjeta. Los bancos lo muestran en 5 a 10 días.`,
  tryingAgain: (money) => `Intentamos enviarte ${money} otra vez y te escribimos en cuanto estén en camino.`,
  throughBank: (money) => `Los ${money} te llegan por tu banco.`,
  moneyBack: (title) => `Te devolvemos tu dinero de ${title}`,
  tooLateWhy:
    'Tu pago llegó después de tus diez minutos, y para entonces los últimos boletos ya eran de otras personas. Lo sentimos.',
  underpaidWhy: 'Llegó menos de lo que cuestan tus boletos, así que el pedido no recibió ninguno. Lo sentimos.',
  canceled: (title) => `${title} se canceló: tu reembolso`,
  canceledWhy: 'Quien organiza este evento lo canceló. Tus boletos ya no son válidos.',
  noLongerValid: (title) => `Tus boletos para ${title} ya no son válidos`,
  noLongerValidWhy: 'El pago de este pedido se retiró. Tus boletos ya no son válidos.',
  disputeLostWhy: 'Tu banco decidió a tu favor la disputa sobre el pago de este pedido. Tus boletos ya no son válidos.',
  throughYourBank: 'Tu banco te devuelve lo que retiró.',
  refundSent: (title) => `Se envió tu reembolso de ${title}`,
  refundSentWhy: 'Se envió tu reembolso.',
  partSentWhy: (quantity) => `Se envió tu reembolso de ${count(quantity)}.`,
  notReached: (title) => `Tu reembolso de ${title} no te ha llegado`,
  notReachedWhy: 'Tu banco no aceptó el reembolso que enviamos, y el dinero volvió a nosotros.',
  refundAsked: (title) => `Tu reembolso de ${title}`,
  refundAskedWhy: (cause, quantity, areAll, reason) => {
    const which = areAll ? (quantity === 1 ? 'Tu boleto' : 'Tus boletos') : `${count(quantity)} de tu pedido`;
    const ended = quantity === 1 ? 'ya no es válido' : 'ya no son válidos';
    return `${WHO[cause]} ${which} ${ended}.${reason ? ` Motivo: ${reason}` : ''}`;
  },

  paperTitle: (title, isVoid) => `${isVoid ? 'Boletos anulados' : 'Boletos'} para ${title}`,
  paperNames: { holder: 'A nombre de', code: 'Código', price: 'Precio', type: 'Tipo', order: 'Pedido' },
  voidMark: 'ANULADO',
  voidTicket: (why) => `Anulado: con este boleto no entra nadie. ${why}`,
  voidBecause: (reason) => VOID[reason],
  frozen: 'Un banco disputa su pago. Vuelve a valer cuando se resuelva a nuestro favor.',
  admission: 'Una entrada. Muestra este código en la puerta, en papel o en pantalla.',
  admissionPostponed: 'Una entrada, válida para la nueva fecha. El evento está pospuesto.',
  calendarVoid: (why) => `Tus boletos están anulados. ${why}`,
  calendarPostponed: 'Pospuesto: tus boletos siguen siendo válidos para la nueva fecha. ',
};
