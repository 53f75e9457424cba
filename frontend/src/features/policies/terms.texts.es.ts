export const texts = {
  title: 'Términos',
  lead: 'Cómo funciona Beltway para quienes asisten y para quienes organizan.',
  updated: '23 de noviembre de 2026',
  whoDoes: 'Quién hace qué',
  roles:
    'Quien organiza anuncia un evento, lo realiza y responde por él. Beltway lo muestra, vende sus boletos y devuelve el dinero cuando se cancela. Cualquiera puede mirar y comprar sin cuenta; para publicar un evento hace falta una cuenta.',
  prices: 'Precios y cargos',
  noFees:
    'Pagas el precio del boleto por el número de boletos. No se suma nada: ni cargo por servicio ni cargo por procesamiento.',
  priceHeld: 'El precio es el del momento en que se apartaron tus boletos.',
  share: 'Beltway se queda con el 5% de cada pedido. Quien organiza recibe el otro 95%.',
  free: 'Anunciar un evento no cuesta nada.',
  buying: 'Comprar',
  hold: 'Al abrir el pago se aparta un boleto para ti durante diez minutos; puedes ampliarlos una vez. Lo que no se haya pagado entonces vuelve a la venta.',
  limit: 'Una compra tiene de uno a diez boletos. Solo con tarjeta.',
  late: 'Si tu pago llega cuando tus boletos ya no están apartados, los recibes si quedan suficientes y el evento no ha terminado. Si no, te reembolsamos de inmediato.',
  ticketCode: 'Cada boleto tiene un código. Deja entrar a una persona, una vez. No compartas tu código.',
  guestLink:
    'El enlace en el correo de quien compra sin cuenta abre el pedido. Quien tiene el enlace tiene los boletos: uno nuevo anula el anterior.',
  whenBack: 'Cuándo se devuelve el dinero y cuándo no: <refunds>Reembolsos</refunds>.',
  puttingOn: 'Organizar algo',
  isTrue:
    'Lo que anuncias es cierto, te corresponde anunciarlo y ocurre en Washington, Maryland o Virginia, o en los alrededores.',
  picture: 'Usa solo fotos que tengas derecho a usar.',
  changing:
    'Puedes cambiar un evento y cancelarlo. Cancelar es definitivo: a cada comprador se le reembolsa el precio completo, y nuestro 5% se devuelve con él.',
  notLower: 'El número de boletos no puede bajar de los que están vendidos y apartados.',
  attendees: 'Ves quién viene: nombres y número de boletos. Úsalos solo para este evento.',
  notAllowed: 'Qué no está permitido',
  notAllowedWhat:
    'Eventos y comentarios que violen la ley, engañen o acosen; publicidad en los comentarios; comprar o apartar boletos con programas para que otros no los tengan; saltarse los límites del sitio. Los administradores pueden cambiar o cancelar esos eventos. Quien organiza un evento y los administradores pueden ocultar comentarios en él.',
  wrong: 'Si algo sale mal',
  wrongWhat:
    'El sitio puede no estar disponible por un tiempo, y quien organiza puede cambiar un evento. Lo que pagaste por un evento cancelado se devuelve en todo caso. Para cualquier otra cosa, <contact>escríbenos</contact>.',
};
