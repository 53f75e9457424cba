export const texts = {
  noAnswerYet: 'Estamos esperando saber si tu pago se completó.',
  paymentError: 'Error de pago',
  notKnown: 'Todavía no sabemos si este pago se completó.',
  notAccepted: 'No se aceptó tu tarjeta. Prueba con otra.',
  paymentFailed: 'El pago falló',
  checkCard: 'Revisa los datos de tu tarjeta.',
  sandbox:
    'Modo de prueba: sin cargos reales. Usa <card></card>, cualquier fecha futura y cualquier CVC. <more>Más tarjetas de prueba</more>',
  setupError: 'Error de configuración',
  notInitialized: 'No se pudo iniciar el pago. Inténtalo de nuevo.',
  processing: 'Procesando…',
  checking: 'Revisando tu pago…',
  checkingLabel: 'Revisando tu pago',
  doNotPay: '{problem} No pagues otra vez todavía. Seguimos comprobando y {anyway}.',
  notLoaded: 'No se pudo cargar el formulario de la tarjeta. Inténtalo de nuevo.',
  notInitializedTitle: 'No se pudo iniciar el pago',
  loading: 'Cargando el formulario de pago',
};
