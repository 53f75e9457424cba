/** Languages of the site: English, and US Spanish. The first is the default. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Locales for dates, numbers and money. */
export const LOCALES: Record<Language, string> = { en: 'en-US', es: 'es-US' };

/** The language with this code, or undefined if the site does not support it. */
export const asLanguage = (text: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === text);
