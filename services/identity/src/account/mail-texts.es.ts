import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';
import type { ToldDecision } from './mail-queue.ts';
import type { AccountMailText, english } from './mail-texts.en.ts';

const hello = (name: string | null): string => (name === null ? 'Hola:' : `Hola, ${name}:`);
const IGNORE = 'Si no fuiste tú, no tienes que hacer nada.';

const verifyText = (link: string): AccountMailText => ({
  subject: 'Confirma tu correo electrónico para Beltway',
  paragraphs: [
    hello(null),
    'Alguien, esperamos que tú, creó una cuenta en Beltway con este correo electrónico. Inicia sesión y confírmalo, y los boletos que compraste con él sin cuenta se guardarán en tu cuenta.',
    'El enlace sirve durante 7 días. Si no creaste la cuenta, no lo confirmes. Nadie recibe tus boletos si no lo haces.',
  ],
  action: { text: 'Confirmar mi correo', url: link },
});

const resetText = (name: string | null, link: string): AccountMailText => ({
  subject: 'Elige una contraseña nueva para Beltway',
  paragraphs: [
    hello(name),
    'Elige una contraseña nueva con este enlace. Sirve una sola vez, durante 30 minutos, y cierra tu sesión en todas partes.',
    IGNORE,
  ],
  action: { text: 'Elegir contraseña nueva', url: link },
});

const changeText = (link: string): AccountMailText => ({
  subject: 'Confirma tu nuevo correo electrónico para Beltway',
  paragraphs: [
    hello(null),
    'Inicia sesión y confirma este correo electrónico para usarlo en tu cuenta de Beltway. Hasta entonces se queda el actual.',
    'El enlace sirve durante 24 horas.',
    IGNORE,
  ],
  action: { text: 'Confirmar mi nuevo correo', url: link },
});

const addressInUseText = (name: string | null, signIn: string): AccountMailText => ({
  subject: 'Tu correo electrónico en Beltway',
  paragraphs: [
    hello(name),
    'Alguien intentó usar tu correo electrónico en otra cuenta. Ya tienes una cuenta con él, así que no cambió nada.',
    'Si fuiste tú, inicia sesión con esta dirección o elimina antes esta cuenta.',
  ],
  action: { text: 'Iniciar sesión', url: signIn },
});

const changeAskedText = (name: string | null, to: string | null, reset: string): AccountMailText => ({
  subject: 'Alguien quiere cambiar el correo electrónico de tu cuenta',
  paragraphs: [
    hello(name),
    `Alguien pidió cambiar el correo electrónico de tu cuenta de Beltway a ${to ?? 'otro'}. Cambia cuando se confirme.`,
    'Si no fuiste tú, alguien sabe tu contraseña. Elige una nueva ahora para detener el cambio.',
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

const emailChangedText = (
  name: string | null,
  { before, email }: { before: string; email: string | null },
  support: string | undefined,
): AccountMailText => ({
  subject: 'El correo electrónico de tu cuenta cambió',
  paragraphs: [
    hello(name),
    `El correo electrónico de tu cuenta de Beltway era ${before}. Ahora es ${email === null ? 'otro' : `${email}. Inicia sesión con él`}.`,
    `Si no fuiste tú, responde de inmediato${support === undefined ? '' : ` o escribe a ${support}`}.`,
  ],
});

const passwordChangedText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Tu contraseña cambió',
  paragraphs: [
    hello(name),
    'Tu contraseña de Beltway acaba de cambiar. Cerramos tu sesión en todos los demás dispositivos.',
    'Si no fuiste tú, elige una nueva ahora.',
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

const passkeyAddedText = (name: string | null, passkey: string | null, reset: string): AccountMailText => ({
  subject: 'Se agregó una llave de acceso a tu cuenta',
  paragraphs: [
    hello(name),
    `${passkey === null ? 'Una llave de acceso' : `La llave de acceso «${passkey}»`} se agregó a tu cuenta de Beltway. Quien la tenga puede iniciar sesión. Mira tus llaves de acceso en la página de tu cuenta.`,
    'Si no fuiste tú, elige una contraseña nueva ahora. Eso quita todas las llaves de acceso y cierra tu sesión en todas partes.',
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

const NOT_YOU = 'Si no fuiste tú, elige una contraseña nueva ahora. Eso cierra tu sesión en todas partes.';

const codesOnText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Los códigos al iniciar sesión están activados',
  paragraphs: [
    hello(name),
    'Ahora, iniciar sesión con contraseña en tu cuenta de Beltway pide también un código de tu aplicación de autenticación. Guarda tus códigos de recuperación donde los encuentres sin tu teléfono.',
    `${NOT_YOU} Después escríbenos, porque otra persona tiene los códigos.`,
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

const codesOffText = (name: string | null, isByAdmin: boolean, reset: string): AccountMailText => ({
  subject: 'Los códigos al iniciar sesión están desactivados',
  paragraphs: [
    hello(name),
    `${isByAdmin ? 'Nuestro equipo desactivó por ti los códigos al iniciar sesión' : 'Los códigos al iniciar sesión se desactivaron'}. Ahora tu contraseña basta para iniciar sesión en tu cuenta de Beltway.`,
    NOT_YOU,
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

const recoveryCodeUsedText = (name: string | null, reset: string): AccountMailText => ({
  subject: 'Alguien inició sesión con uno de tus códigos de recuperación',
  paragraphs: [
    hello(name),
    'Alguien, esperamos que tú, inició sesión en tu cuenta de Beltway con tu contraseña y un código de recuperación. Ese código ya no sirve. La página de tu cuenta muestra cuántos quedan.',
    NOT_YOU,
  ],
  action: { text: 'Elegir contraseña nueva', url: reset },
});

/** Names of reported content with ‘your’, because the sentences need the possessive. */
const THINGS: Record<ContentKind, string> = {
  comment: 'tu comentario',
  photo: 'tu foto',
  video: 'tu video',
  message: 'tu mensaje en un chat',
  post: 'tu publicación',
  'post-comment': 'tu comentario en una publicación',
  question: 'tu pregunta',
  answer: 'tu respuesta',
  event: 'tu evento',
  account: 'tu cuenta',
  ad: 'tu anuncio',
};
const REASONS: Record<ReportReason, string> = {
  spam: 'spam o publicidad',
  harassment: 'acoso o insultos',
  hate: 'odio',
  violence: 'amenazas o violencia',
  sexual: 'contenido sexual',
  illegal: 'algo ilegal',
  privacy: 'información privada de alguien',
  rights: 'los derechos de otra persona',
  abuse: 'odio, amenazas o insultos',
  other: 'nuestras reglas',
};
const DAY = new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'America/New_York' });

function moderatedText(
  name: string | null,
  { kind, action, reason, until }: ToldDecision,
  appeal: string,
): AccountMailText {
  const because = `Alguien lo reportó y nuestro equipo lo revisó. Motivo: ${REASONS[reason ?? 'other']}.`;
  const isBack = action === 'restore' || action === 'reinstate';
  const said: Record<CaseAction, [subject: string, text: string]> = {
    keep: [`Se queda ${THINGS[kind]}`, 'Se queda como está.'],
    hide: [`Se ocultó ${THINGS[kind]}`, 'Nadie más puede verlo.'],
    restore: [`Se muestra otra vez ${THINGS[kind]}`, 'Cambiamos una decisión anterior.'],
    remove: [`Se eliminó ${THINGS[kind]}`, 'No se puede recuperar.'],
    warn: [
      `Una advertencia sobre ${THINGS[kind]}`,
      'Respeta nuestras reglas: de lo contrario, tu cuenta puede quedar suspendida.',
    ],
    suspend: [
      'Tu cuenta está suspendida',
      `${until === null ? 'Ya no puedes iniciar sesión' : `No puedes iniciar sesión hasta el ${DAY.format(new Date(until))}`}. Los boletos que compraste siguen siendo válidos.`,
    ],
    reinstate: ['Tu cuenta está activa otra vez', 'Ya puedes iniciar sesión.'],
  };
  const [subject, text] = said[action];
  return {
    subject,
    paragraphs: [
      hello(name),
      ...(isBack ? [`${subject}. ${text}`] : [`${subject}. ${text} ${because}`]),
      ...(isBack
        ? []
        : ['Si crees que es un error, pide una revisión en los próximos 30 días. Puedes pedirla una vez.']),
    ],
    ...(!isBack && { action: { text: 'Pedir una revisión', url: appeal } }),
  };
}

function appealDecidedText(
  name: string | null,
  { kind, action, outcome }: ToldDecision,
  mine: string,
): AccountMailText {
  const isReversed = outcome === 'reversed';
  const undone: Partial<Record<CaseAction, string>> = {
    hide: `Se muestra otra vez ${THINGS[kind]}.`,
    remove: 'No podemos recuperar lo que se eliminó, pero puedes publicarlo otra vez.',
    suspend: 'Ya puedes iniciar sesión.',
  };
  return {
    subject: isReversed ? 'Cambiamos nuestra decisión' : 'Mantenemos nuestra decisión',
    paragraphs: [
      hello(name),
      `Nuestro equipo volvió a revisar la decisión sobre ${THINGS[kind]}.`,
      isReversed ? `La decisión fue un error. ${undone[action] ?? 'Ya no cuenta.'}` : 'La decisión se mantiene.',
    ],
    action: { text: 'Ver la decisión', url: mine },
  };
}

const helpText = (support: string): string => `¿Tienes preguntas? Escribe a ${support}.`;

export const spanish: typeof english = {
  verifyText,
  resetText,
  changeText,
  addressInUseText,
  changeAskedText,
  emailChangedText,
  passkeyAddedText,
  codesOnText,
  codesOffText,
  recoveryCodeUsedText,
  passwordChangedText,
  moderatedText,
  appealDecidedText,
  helpText,
};
