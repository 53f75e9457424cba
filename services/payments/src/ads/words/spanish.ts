import type { AdPackageId } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';
import type { AdWords } from './english.ts';

const DATE = new Intl.DateTimeFormat('es-US', {
  ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  timeZone: 'America/New_York',
});

/** As the page calls them (frontend/src/lib/ads/packages.names.es.ts). */
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
      'Gracias por tu pago. Tu anuncio empieza cuando se hayan hecho dos cosas: nos envías su imagen y la dirección a la que lleva, y las revisamos.',
      'Ambas se envían en la página de abajo, sin cuenta. También muestra cuántas veces se vio tu anuncio y cuántos clics recibió. Guarda este correo: quien tenga el enlace puede cambiar tu anuncio.',
    ],
    action: 'Enviar imagen y enlace',
  },
  approved: {
    subject: 'Tu anuncio está en Beltway',
    paragraphs: ['Revisamos tu anuncio y se muestra desde ahora.'],
    action: 'Ver cuántas veces se vio',
  },
  refused: {
    subject: 'No mostramos tu anuncio: te devolvemos tu dinero',
    paragraphs: [
      'Revisamos tu anuncio y no lo mostraremos. Todo lo que pagaste regresa por donde vino; los bancos lo muestran en 5 a 10 días.',
    ],
  },
  rejected: {
    subject: 'Tu anuncio necesita un cambio',
    paragraphs: [
      'Revisamos tu anuncio y no podemos mostrarlo como está. Puedes enviar otra imagen u otro enlace en la página de abajo.',
    ],
    action: 'Cambiar tu anuncio',
  },
};
