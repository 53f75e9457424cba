import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './links.texts.en.ts';

export const texts = {
  forgot: 'Recuperar tu contraseña',
  forgotQuestion: '¿Olvidaste tu contraseña?',
  forgotWhy: 'Te enviamos un enlace con el que eliges otra.',
  onItsWay:
    'Si hay una cuenta con la dirección <email></email>, va en camino un correo con un enlace. El enlace sirve 30 minutos y una sola vez.',
  nothingCame: '¿No llegó nada? Mira en la carpeta de spam y revisa la dirección. Se envían tres correos por hora.',
  anotherAddress: 'Probar otra dirección',
  email: 'Correo electrónico',
  sending: 'Enviando…',
  sendLink: 'Enviarme un enlace',
  backToSignIn: 'Volver a iniciar sesión',
  choose: 'Elige otra contraseña',
  chooseWhy: 'Se cerrará la sesión en todos los dispositivos, y la inicias con la nueva.',
  openLink: 'Abre el enlace del correo que te enviamos. Un enlace sirve 30 minutos y una sola vez.',
  askForLink: 'Pedir un enlace',
  changed: 'Tu contraseña se cambió',
  changedWhy: 'Inicia sesión con ella. Se cerró la sesión en todos los dispositivos.',
  newPassword: 'Contraseña nueva',
  changing: 'Cambiando…',
  change: 'Cambiar mi contraseña',
  anotherLink: 'Pedir otro enlace',
  confirm: 'Confirma tu correo electrónico',
  confirmed: 'Tu dirección está confirmada',
  fromNow:
    'Desde ahora <email></email> es la dirección de tu cuenta. Los boletos que compraste con ella sin cuenta estarán en Mis boletos en un momento.',
  myTickets: 'Mis boletos',
  account: 'Cuenta',
  openVerifyLink: 'Abre el enlace del correo que te enviamos. En tu cuenta puedes pedir que se envíe otra vez.',
  signInFirst: 'Inicia sesión en la cuenta de la que trata el correo y vuelve aquí. Así nadie más recibe tus boletos.',
  signIn: 'Iniciar sesión',
  signedInAs: 'Iniciaste sesión como <name></name>. ¿Abriste tú esta cuenta? Entonces confirma que te llegó el correo.',
  confirming: 'Confirmando…',
  confirmMine: 'Confirmar mi dirección',
} as const satisfies Translated<typeof english>;
