import type { Translated } from '../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  cancel: 'Cancelar',
  close: 'Cerrar',
  dismiss: 'Descartar',
  notification: 'Aviso:',
  optional: 'Opcional',
  hidePassword: 'Ocultar la contraseña',
  showPassword: 'Mostrar la contraseña',
  oneLess: 'Uno menos',
  oneMore: 'Uno más',
  wholeNumber: 'Escribe un número entero de {min} a {max}',
  retry: 'Reintentar',
  minutesLeft: '{count, plural, one {Queda # minuto} other {Quedan # minutos}}',
  notLoaded: '{what} no se pudo cargar',
  loadAgain: 'Vuelve a cargar la página.',
  noNetwork: 'No hay conexión en este momento.',
  lastChanged: 'Último cambio: {when}',
  asTable: 'Lo mismo en una tabla',
} as const satisfies Translated<typeof english>;
