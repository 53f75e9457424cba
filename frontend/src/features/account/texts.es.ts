import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  account: 'Cuenta',
  name: 'Nombre',
  email: 'Correo electrónico',
  accountType: 'Tipo de cuenta',
  explorer: 'Asistente',
  owner: 'Negocio',
  admin: 'Administración',
  signingIn: 'Inicio de sesión',
  decided: 'Lo que decidimos sobre lo tuyo',
  yourData: 'Tus datos',
  take: 'Llévatelos',
  takeWhy:
    'Un archivo (JSON) con tu perfil, llaves de acceso, pedidos y boletos, comentarios, lo que te gusta, a quién sigues, búsquedas guardadas, eventos, anuncios, pagos, avisos y las direcciones de tus fotos. No incluye los pedidos que hiciste sin iniciar sesión.',
  making: 'Preparando el archivo…',
  download: 'Descargar mis datos',
  downloaded: 'Tus datos se descargaron.',
  deleteYours: 'Eliminar tu cuenta',
  deleteWhy:
    'Para siempre, después de escribir tu contraseña. No se puede mientras haya personas con boletos para eventos tuyos o dinero tuyo en camino.',
  deleteMine: 'Eliminar mi cuenta',
  deleteQuestion: '¿Eliminar tu cuenta?',
  keep: 'Conservar mi cuenta',
  deleting: 'Eliminando…',
  signedOut: 'Se cierra tu sesión en todas partes de inmediato. Esto no se puede deshacer.',
  isDeleted:
    'Se eliminan tu nombre, tu correo electrónico, tus fotos y comentarios, y lo que te gustó, guardaste, buscaste y seguiste.',
  ticketsStay:
    '<strong>Los boletos siguen siendo válidos, pero salen de Mis boletos.</strong> Conserva su PDF o el enlace de tu correo. Ya no podremos escribirte, tampoco cuando un evento cambie o se cancele; un reembolso vuelve a la tarjeta.',
  eventsGo: 'Tus eventos que aún no han ocurrido se cancelan. Los anuncios siguen hasta su fin.',
  paymentsStay: 'Los registros de pagos se conservan, sin tu nombre.',
  password: 'Tu contraseña',
  enterPassword: 'Escribe tu contraseña',
  deleted: 'Tu cuenta se eliminó',
  deletedWhy: 'Se cerró tu sesión en todas partes.',
} as const satisfies Translated<typeof english>;
