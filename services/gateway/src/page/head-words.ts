import type { Language } from '@beltway/contracts/common/languages';

interface HeadWords {
  /** Replaces the English texts of the built page (frontend/index.html). */
  builtPage?: { description: string; noScript: string };
  siteDescription: string;
  /** The description of an organizer's page. */
  organizerDescription: (name: string) => string;
  /** The description for an organizer without a name. Default: the placeholder that the page shows. */
  namelessDescription?: string;
}

/** Texts used only in heads. Texts that the frontend shows too come with its build (`HeadTexts`). */
export const headWords: Record<Language, HeadWords> = {
  en: {
    siteDescription: 'Find what’s on tonight in Washington DC, Maryland and Virginia, and get your ticket.',
    organizerDescription: (name) =>
      `Events by ${name} around Washington DC, Maryland and Virginia: dates, locations, tickets.`,
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
