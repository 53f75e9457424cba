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
  'refunded-by-organizer': 'Quien organiza te está reembolsando tu pedido.',
  'refunded-by-admin': 'Beltway te está reembolsando tu pedido.',
  'canceled-by-buyer': 'Cancelaste.',
  'event-canceled': 'Quien organiza este evento lo canceló.',
  'refunded-by-provider': 'El pago de este pedido se retiró.',
  'too-late': 'Tu pago llegó demasiado tarde.',
  underpaid: 'Tu pago fue menor que el precio.',
  'order-lost': 'El pedido de este pago se perdió.',
  unknown: 'Te estamos reembolsando tu pedido.',
};

const VOID: Record<VoidReason, string> = {
  'event-canceled': 'Quien organiza este evento lo canceló.',
  disputed: 'El pago de este boleto se disputó.',
  returned: 'Este boleto se reembolsa a quien lo compró.',
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
    share: 'Desglose',
    refund: 'Reembolso',
    canceling: 'Cancelación',
    order: 'Pedido',
    whenBefore: 'Horario anterior',
    whereBefore: 'Lugar anterior',
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
    'Quien organiza este evento lo pospuso. Tus boletos son válidos para la nueva fecha. Te escribiremos cuando haya una.',
  atTheDoor: (name, quantity, isPostponed) =>
    `Hola, ${name}: muestra un código por persona en la puerta, en pantalla o en papel. tickets.pdf tiene ${quantity === 1 ? 'tu código' : 'todos tus códigos'}, y event.ics ${isPostponed ? 'quita la fecha anterior de tu calendario' : 'agrega el evento a tu calendario'}.`,

  newLink: (title) => `Tu nuevo enlace para ${title}`,
  newLinkPreview: 'Los enlaces de correos anteriores ya no abren tus boletos.',
  newLinkWhy: (hasCodes) =>
    `Pediste un nuevo enlace a tus boletos. Los enlaces de correos anteriores ya no los abren.${hasCodes ? ' Los códigos QR siguen igual.' : ''}`,

  correctedFirst:
    'Se corrigió el correo electrónico de este pedido. Desde ahora enviamos tus boletos aquí. Los enlaces de correos anteriores ya no los abren.',
  addressCorrected: (title) => `Se corrigió el correo electrónico de un pedido para ${title}`,
  addressCorrectedWhy:
    'Un pedido hecho con este correo electrónico ahora tiene otro. Enviamos sus boletos allí, y los enlaces de correos anteriores ya no los abren. Si era tu pedido y el cambio es un error, escríbenos.',

  messageOfBuyer: (title, order) => `Mensaje sobre ${title}${order ? `, pedido ${order}` : ''}`,
  messageOfOrganizer: (title) => `Mensaje de quien organiza ${title}`,
  buyerWrites: (name) => `${name ?? 'Alguien'} tiene boletos para este evento y escribió:`,
  organizerWrites: 'Quien organiza este evento escribió sobre tu pedido:',
  answer: 'Responder',
  messageHides:
    'Responde con el botón, así nadie ve el correo electrónico de la otra persona. Beltway no revisó este mensaje. No envíes números de tarjeta ni contraseñas.',

  oldDateOut: 'event.ics quita la fecha anterior de tu calendario.',
  calendarUpToDate: 'event.ics actualiza tu calendario.',
  placeToo: (place) => ` También cambió el lugar: ${place}.`,
  isPostponed: (title) => `${title} se pospuso`,
  isPostponedWhy: (before) => `Quien organiza este evento lo pospuso. Ya no es el ${before}.`,
  isPostponedNow: 'Tus boletos siguen siendo válidos para la nueva fecha. Te escribiremos cuando haya una.',
  hasNewDate: (title) => `${title} tiene nueva fecha`,
  hasNewDateWhy: 'El evento se había pospuesto y ya tiene nueva fecha.',
  hasNewDateNow: (when) => `Nueva fecha: ${when}. Tus boletos son válidos para ella.`,
  isSuspended: (title) => `${title} no está a la venta por ahora`,
  isSuspendedWhy: 'Beltway quitó este evento de sus listas y por ahora no vende boletos para él.',
  isSuspendedNow:
    'Tus boletos siguen siendo válidos. Si el evento se cancela, recibes un reembolso. Te escribiremos cuando esto cambie.',
  isResumed: (title) => `${title} está a la venta otra vez`,
  isResumedWhy: 'El evento está otra vez en nuestras listas y los boletos están a la venta de nuevo.',
  isResumedNow: 'Tus boletos fueron válidos todo el tiempo. No tienes que hacer nada.',
  newTimeAndPlace: (title) => `${title}: nueva hora y nuevo lugar`,
  newTime: (title) => `${title}: nueva hora`,
  newPlace: (title) => `${title}: nuevo lugar`,
  now: (what) => `Ahora: ${what}.`,
  changedWhy: 'Quien organiza este evento lo cambió. Tus boletos siguen siendo válidos.',

  asked: (money) => `Pedimos tu reembolso de ${money}. Te escribiremos cuando esté en camino.`,
  sent: (money) => `${money} volvieron a tu tarjeta. Los bancos lo muestran en 5 a 10 días.`,
  tryingAgain: (money) => `Estamos intentando enviarte ${money} otra vez. Te escribiremos cuando estén en camino.`,
  throughBank: (money) => `Recibes los ${money} por tu banco.`,
  moneyBack: (title) => `Recibirás un reembolso de ${title}`,
  tooLateWhy:
    'Tu pago llegó después de tus diez minutos, y para entonces ya no podíamos darte los boletos. Lo sentimos.',
  underpaidWhy: 'Recibimos menos de lo que cuestan tus boletos, así que no los obtuviste. Lo sentimos.',
  canceled: (title) => `${title} se canceló: tu reembolso`,
  canceledWhy: 'Quien organiza este evento lo canceló. Tus boletos ya no son válidos.',
  noLongerValid: (title) => `Tus boletos para ${title} ya no son válidos`,
  noLongerValidWhy: 'El pago de este pedido se retiró. Tus boletos ya no son válidos.',
  disputeLostWhy: 'Tu banco decidió a tu favor la disputa sobre el pago de este pedido. Tus boletos ya no son válidos.',
  throughYourBank: 'Recibes tu dinero por tu banco.',
  refundSent: (title) => `Se envió tu reembolso de ${title}`,
  refundSentWhy: 'Se envió tu reembolso.',
  partSentWhy: (quantity) => `Se envió tu reembolso de ${count(quantity)}.`,
  notReached: (title) => `Tu reembolso de ${title} no se pudo completar`,
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
  frozen: 'Un banco disputa su pago. Vuelve a ser válido si se resuelve a nuestro favor.',
  admission: 'Una entrada. Muestra este código en la puerta, en papel o en pantalla.',
  admissionPostponed: 'Una entrada, válida para la nueva fecha. El evento está pospuesto.',
  calendarVoid: (why) => `Tus boletos están anulados. ${why}`,
  calendarPostponed: 'Pospuesto: tus boletos siguen siendo válidos para la nueva fecha. ',
};
