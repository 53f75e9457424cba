import { type Language, asLanguage } from '@beltway/contracts/common/languages';
import { english, type Words } from './english.ts';
import { spanish } from './spanish.ts';

/** What buyers are written, in each language. */
export const wordsIn: Record<Language, Words> = { en: english, es: spanish };

/** In the language in which an order's buyer checked out. */
export const wordsOf = ({ language }: { language: string | null }): Words => wordsIn[asLanguage(language) ?? 'en'];
