import type { Language } from '@beltway/contracts/common/languages';

interface HeadWords {
  /** Replaces the built page's own English words (frontend/index.html). */
  builtPage?: { description: string; noScript: string };
  siteDescription: string;
  /** For an organizer's page. */
  organizerDescription: (name: string) => string;
  /** For an organizer without a name; default: what the page calls them. */
  namelessDescription?: string;
}

/** Texts of heads alone. Those that a head shares with the page come with its build (`HeadTexts`). */
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
