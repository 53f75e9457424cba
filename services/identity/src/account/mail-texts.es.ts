import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';
import type { ToldDecision } from './mail-queue.ts';
import type { AccountMailText, english } from './mail-texts.en.ts';

const IGNORE = 'Si no fuiste tú, no tienes que hacer nada.';

const verifyText = (name: string, link: string): AccountMailText => ({
  subject: 'Confirma tu correo electrónico para Beltway',
  paragraphs: [
    `Hola, ${name}:`,
    'Alguien, esperamos que tú, abrió una cuenta en Beltway con esta dirección. Confírmala con tu sesión iniciada y los boletos que compraste con ella sin cuenta se guardarán en tu cuenta.',
    'El enlace sirve durante 7 días. Si no abriste la cuenta, no la confirmes: sin eso nadie recibe tus boletos.',
  ],
  action: { text: 'Confirmar mi dirección', url: link },
});

const resetText = (name: string, link: string): AccountMailText => ({
  subject: 'Elige otra contraseña para Beltway',
  paragraphs: [
    `Hola, ${name}:`,
    'Con este enlace eliges otra contraseña. Sirve durante 30 minutos y una sola vez. Después se cerrará tu sesión en todas partes.',
    IGNORE,
  ],
  action: { text: 'Elegir una contraseña', url: link },
});

const changeText = (name: string, link: string): AccountMailText => ({
  subject: 'Confirma tu nuevo correo electrónico para Beltway',
  paragraphs: [
    `Hola, ${name}:`,
    'Esta será la dirección de tu cuenta en Beltway. Confírmala con tu sesión iniciada; hasta entonces se queda la anterior.',
    'El enlace sirve durante 24 horas.',
    IGNORE,
  ],
  action: { text: 'Confirmar mi nueva dirección', url: link },
});

const addressInUseText = (name: string, signIn: string): AccountMailText => ({
  subject: 'Tu correo electrónico en Beltway',
  paragraphs: [
    `Hola, ${name}:`,
    'Alguien quiso poner tu dirección en otra cuenta. Ya tienes una cuenta con ella, así que no cambió nada.',
    'Si fuiste tú, inicia sesión con esta dirección o elimina antes esta cuenta.',
  ],
  action: { text: 'Iniciar sesión', url: signIn },
});

const changeAskedText = (name: string, to: string, reset: string): AccountMailText => ({
  subject: 'Alguien quiere cambiar el correo electrónico de tu cuenta',
  paragraphs: [
    `Hola, ${name}:`,
    `La dirección de tu cuenta en Beltway será ${to}. Cambia cuando se confirme esa dirección.`,
    'Si no fuiste tú, alguien sabe tu contraseña: elige otra ahora y no pasará nada.',
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

const emailChangedText = (
  name: string,
  { before, email }: { before: string; email: string },
  support: string | undefined,
): AccountMailText => ({
  subject: 'El correo electrónico de tu cuenta cambió',
  paragraphs: [
    `Hola, ${name}:`,
    `Tu cuenta en Beltway tenía la dirección ${before}. Desde ahora es ${email}: inicia sesión con ella.`,
    `Si no fuiste tú, responde de inmediato${support === undefined ? '' : ` o escribe a ${support}`}.`,
  ],
});

const passwordChangedText = (name: string, reset: string): AccountMailText => ({
  subject: 'Tu contraseña cambió',
  paragraphs: [
    `Hola, ${name}:`,
    'La contraseña de tu cuenta en Beltway cambió hace un momento y se cerró tu sesión en todos los demás dispositivos.',
    'Si no fuiste tú, elige otra ahora.',
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

const passkeyAddedText = (name: string, passkey: string, reset: string): AccountMailText => ({
  subject: 'Se agregó una llave de acceso a tu cuenta',
  paragraphs: [
    `Hola, ${name}:`,
    `La llave de acceso «${passkey}» se agregó a tu cuenta en Beltway: quien la tenga puede iniciar sesión. Las llaves de acceso están en la página de tu cuenta.`,
    'Si no fuiste tú, elige otra contraseña ahora. Eso quita todas las llaves de acceso y cierra tu sesión en todas partes.',
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

const NOT_YOU = 'Si no fuiste tú, elige otra contraseña ahora. Eso cierra tu sesión en todas partes.';

const codesOnText = (name: string, reset: string): AccountMailText => ({
  subject: 'Ahora se pide un código para iniciar sesión en tu cuenta',
  paragraphs: [
    `Hola, ${name}:`,
    'Desde ahora, para iniciar sesión en tu cuenta en Beltway con contraseña se pide también un código de tu aplicación. Guarda los códigos de recuperación que te mostramos donde los encuentres sin tu teléfono.',
    `${NOT_YOU} Después escríbenos: los códigos son de otra persona.`,
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

const codesOffText = (name: string, isByAdmin: boolean, reset: string): AccountMailText => ({
  subject: 'Ya no se pide un código para iniciar sesión en tu cuenta',
  paragraphs: [
    `Hola, ${name}:`,
    `${isByAdmin ? 'Alguien de Beltway desactivó por ti los códigos al iniciar sesión' : 'Los códigos al iniciar sesión se desactivaron'}. Tu contraseña basta para entrar en tu cuenta en Beltway.`,
    NOT_YOU,
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

const recoveryCodeUsedText = (name: string, reset: string): AccountMailText => ({
  subject: 'Alguien inició sesión con uno de tus códigos de recuperación',
  paragraphs: [
    `Hola, ${name}:`,
    'Alguien, esperamos que tú, inició sesión en tu cuenta en Beltway con tu contraseña y un código de recuperación, que ya no sirve. La página de tu cuenta dice cuántos quedan.',
    NOT_YOU,
  ],
  action: { text: 'Elegir otra contraseña', url: reset },
});

/** With ‘your’, as sentences need it. */
const THINGS: Record<ContentKind, string> = {
  comment: 'tu comentario',
  photo: 'tu foto',
  video: 'tu video',
  message: 'tu mensaje en un chat',
  post: 'tu publicación',
  'post-comment': 'tu comentario en una publicación',
  question: 'tu pregunta',
  answer: 'tu respuesta',
};
const REASONS: Record<ReportReason, string> = {
  spam: 'spam o publicidad',
  harassment: 'acoso o insultos',
  hate: 'odio',
  violence: 'amenazas o violencia',
  sexual: 'contenido sexual',
  illegal: 'algo ilegal',
  privacy: 'asuntos privados de alguien',
  rights: 'los derechos de otra persona',
  abuse: 'odio, amenazas o insultos',
  other: 'nuestras reglas',
};
const DAY = new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'America/New_York' });

function moderatedText(name: string, { kind, action, reason, until }: ToldDecision, appeal: string): AccountMailText {
  const because = `Alguien lo reportó y una persona de Beltway lo revisó. El motivo: ${REASONS[reason ?? 'other']}.`;
  const isBack = action === 'restore' || action === 'reinstate';
  const said: Record<CaseAction, [subject: string, text: string]> = {
    keep: [`Se queda ${THINGS[kind]}`, 'Se queda como está.'],
    hide: [`Se ocultó ${THINGS[kind]}`, 'Nadie más lo ve.'],
    restore: [`Se muestra otra vez ${THINGS[kind]}`, 'Se cambió una decisión anterior.'],
    remove: [`Se eliminó ${THINGS[kind]}`, 'Ya no está.'],
    warn: [
      `Una advertencia sobre ${THINGS[kind]}`,
      'Respeta nuestras reglas: de lo contrario, tu cuenta puede quedar suspendida.',
    ],
    suspend: [
      'Tu cuenta está suspendida',
      `${until === null ? 'Ya no puedes iniciar sesión' : `No puedes iniciar sesión hasta el ${DAY.format(new Date(until))}`}. Los boletos que compraste siguen siendo válidos.`,
    ],
    reinstate: ['Tu cuenta está abierta otra vez', 'Ya puedes iniciar sesión.'],
  };
  const [subject, text] = said[action];
  return {
    subject,
    paragraphs: [
      `Hola, ${name}:`,
      ...(isBack ? [`${subject}. ${text}`] : [`${subject}. ${text} ${because}`]),
      ...(isBack
        ? []
        : ['Si crees que es un error, pide otra revisión en los próximos 30 días. Se puede pedir una vez.']),
    ],
    ...(!isBack && { action: { text: 'Pedir otra revisión', url: appeal } }),
  };
}

function appealDecidedText(name: string, { kind, action, outcome }: ToldDecision, mine: string): AccountMailText {
  const isReversed = outcome === 'reversed';
  const undone: Partial<Record<CaseAction, string>> = {
    hide: `Se muestra otra vez ${THINGS[kind]}.`,
    remove: 'Lo que se eliminó no se puede recuperar; puedes publicarlo otra vez.',
    suspend: 'Ya puedes iniciar sesión.',
  };
  return {
    subject: isReversed ? 'Cambiamos nuestra decisión' : 'Mantenemos nuestra decisión',
    paragraphs: [
      `Hola, ${name}:`,
      `Una persona de Beltway volvió a revisar lo que se decidió sobre ${THINGS[kind]}.`,
      isReversed ? `La decisión fue un error. ${undone[action] ?? 'Ya no cuenta.'}` : 'La decisión se mantiene.',
    ],
    action: { text: 'Ver lo que se decidió', url: mine },
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
