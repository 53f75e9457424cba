export const texts = {
  title: 'Reembolsos',
  lead: 'Cuándo recuperas tu dinero, cuánto y cómo.',
  updated: '28 de noviembre de 2026',
  canceled: 'El evento se cancela',
  byItself: 'Te devolvemos el precio completo automáticamente. No tienes que pedirlo.',
  mails:
    'Un primer correo dice que se pidió el reembolso; un segundo, que se envió. Si falla, otro correo lo dice y se intenta de nuevo.',
  toCard:
    'El dinero va a la tarjeta con la que pagaste. Cuándo lo ves depende de tu banco; muchas veces tarda unos días.',
  void: 'Tus boletos dejan de valer desde el momento de la cancelación, y aparecen como cancelados en <tickets>Mis boletos</tickets> y en el enlace de tu correo.',
  noTickets: 'Pagaste y no recibiste boletos',
  noTicketsWhy:
    'Si tu pago llega cuando tus boletos ya no están apartados, y se agotaron o el evento ya terminó, lo reembolsamos completo de inmediato y te avisamos por correo.',
  cannotCome: 'No puedes ir',
  deadline:
    'Quien organiza dice hasta cuándo puedes cancelar; si no dice otra cosa, hasta 24 horas antes del evento. La página del evento y el pago dicen el día y la hora antes de que pagues, y lo que se te prometió entonces se mantiene. Si ese plazo ya pasó cuando compras, no puedes cancelar.',
  canceling:
    'Cancela todos tus boletos o algunos en la página de tu pedido, que se abre desde <tickets>Mis boletos</tickets> y desde el enlace de tu correo. Recuperas el precio completo de cada uno.',
  codesEnd: 'Los códigos de los boletos cancelados dejan de servir de inmediato, y los boletos vuelven a la venta.',
  postponed:
    'Mientras un evento está pospuesto puedes cancelar en cualquier momento, salvo que sus boletos nunca se hayan podido cancelar. Después del plazo solo quien organiza puede reembolsarte: <contact>escríbenos</contact> con el número de tu pedido.',
  often:
    'Puedes cancelar boletos de 5 pedidos en 30 días, o de uno más cada 6 días. Quienes compran sin cuenta, y las cuentas sin correo verificado, comparten 30 pedidos al día en una misma dirección de red. Cada pedido cancelado nos cuesta un cargo del proveedor de tarjetas. Después solo quien organiza puede reembolsarte.',
  byOrganizer: 'Quien organiza te reembolsa',
  byOrganizerWhy:
    'Quien organiza y Beltway pueden reembolsar un pedido, o algunos de sus boletos, en cualquier momento. Un correo te lo dice.',
  unknown: 'Un cargo que no reconoces',
  unknownWhy:
    '<contact>Escríbenos</contact> primero, con el día y el monto. Mientras tu banco disputa un pago, sus boletos no dejan entrar a nadie; si la disputa se lleva el dinero, dejan de valer.',
  fee: 'Nuestro cargo',
  feeWhy: 'Un reembolso devuelve todo lo que pagaste. El 5% que Beltway se queda de un pedido se devuelve con él.',
  promotions: 'Promociones, transmisiones en vivo y anuncios',
  promotionsWhy:
    'No puedes cancelar lo que pagaste por promocionar un evento, por una transmisión en vivo o por un anuncio. Si un pago fue un error, <contact>escríbenos</contact>; lo que se reembolsa termina de inmediato.',
  elsewhere: 'Boletos comprados en otro sitio',
  elsewhereWhy: 'Lo que compras en otro sitio, como uno de descuentos, lo reembolsa ese sitio.',
};
