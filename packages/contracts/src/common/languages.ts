/** What Beltway speaks: English, and Spanish as it is spoken in the United States. The first is spoken where nothing else is wanted. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** By whose customs dates, numbers and money are written. */
export const LOCALES: Record<Language, string> = { en: 'en-US', es: 'es-US' };

/** One of ours, or undefined. */
export const asLanguage = (text: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === text);
