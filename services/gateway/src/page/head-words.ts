import type { Language } from '@beltway/contracts/common/languages';

interface HeadWords {
  /** In place of what the built page says of itself; that is English (frontend/index.html). */
  builtPage?: { description: string; noScript: string };
  siteDescription: string;
  /** Of the page of an organizer. */
  organizerDescription: (name: string) => string;
  /** Of one without a name; default: with what the page calls them. */
  namelessDescription?: string;
}

/** What heads say and no page does. What both say comes with the build of the page (`HeadTexts`). */
export const headWords: Record<Language, HeadWords> = {
  en: {
    siteDescription: 'Find what is on tonight in Washington DC, Maryland and Virginia, and get the ticket for it.',
    organizerDescription: (name) =>
      `What ${name} puts on around Washington DC, Maryland and Virginia: dates, places, tickets.`,
  },
  es: {
    builtPage: {
      description:
        'Descubre qué hay esta noche en Washington DC, Maryland y Virginia, y consigue tu boleto. Publica tu propio evento en minutos.',
      noScript: 'Beltway necesita JavaScript para mostrar qué hay.',
    },
    siteDescription: 'Descubre qué hay esta noche en Washington DC, Maryland y Virginia, y consigue tu boleto.',
    organizerDescription: (name) =>
      `Los eventos de ${name} en Washington DC, Maryland y Virginia: fechas, lugares, boletos.`,
    namelessDescription: 'Eventos en Washington DC, Maryland y Virginia: fechas, lugares, boletos.',
  },
};
