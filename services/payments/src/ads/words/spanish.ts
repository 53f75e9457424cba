import type { AdPackageId } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';
import type { AdWords } from './english.ts';

const DATE = new Intl.DateTimeFormat('es-US', {
  ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  timeZone: 'America/New_York',
});

/** The same names as in the frontend (frontend/src/lib/ads/packages.names.es.ts). */
const PACKAGES: Record<AdPackageId, string> = {
  'banner-7d': 'Banner básico, 7 días',
  'top-placement-7d': 'Primer lugar premium, 7 días',
  'spotlight-14d': 'Espacio destacado premium, 14 días',
  'campaign-30d': 'Campaña destacada, 30 días',
  basic: 'Espacio destacado básico, 1 semana',
  premium: 'Impulso premium, 2 semanas',
  enterprise: 'Presencia empresarial, 1 mes',
  ultimate: 'Exposición máxima, 6 semanas',
};

export const spanish: AdWords = {
  language: 'es' as Language,

  names: {
    package: 'Paquete',
    event: 'Evento',
    paid: 'Pagado',
    shownUntil: 'Se muestra hasta el',
    why: 'Motivo',
  },
  bought: ({ id }) => PACKAGES[id],
  allIncluded: (amount) => `${amount}, todo incluido`,
  day: (at) => DATE.format(at),
  hello: (name) => `Hola, ${name}:`,
  help: (support) => `¿Preguntas? Escribe a ${support}.`,

  ready: {
    subject: 'Tu anuncio en Beltway: envíanos la imagen y el enlace',
    paragraphs: [
      'Gracias por tu pago. Envíanos la imagen y el enlace de tu anuncio. Empieza cuando los aprobemos.',
      'Puedes hacerlo en la página de abajo, sin cuenta. También muestra cuántas veces se vio tu anuncio y cuántos clics recibió. Guarda este correo: quien tenga el enlace puede cambiar tu anuncio.',
    ],
    action: 'Enviar imagen y enlace',
  },
  approved: {
    subject: 'Tu anuncio ya se muestra en Beltway',
    paragraphs: ['Aprobamos tu anuncio. Ya se está mostrando.'],
    action: 'Ver cómo va',
  },
  refused: {
    subject: 'No aprobamos tu anuncio: recibes un reembolso',
    paragraphs: [
      'Revisamos tu anuncio y no lo mostraremos. Te reembolsamos todo lo que pagaste. Los bancos lo muestran en 5 a 10 días.',
    ],
  },
  rejected: {
    subject: 'Tu anuncio necesita un cambio',
    paragraphs: [
      'Revisamos tu anuncio y no podemos mostrarlo como está. Envía otra imagen u otro enlace en la página de abajo.',
    ],
    action: 'Actualizar tu anuncio',
  },
};
