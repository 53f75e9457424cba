import { type Language, asLanguage } from '@beltway/contracts/common/languages';
import { english, type Words } from './english.ts';
import { spanish } from './spanish.ts';

/** The texts for buyers, in each language. */
export const wordsIn: Record<Language, Words> = { en: english, es: spanish };

/** The texts in the language of the order's checkout. */
export const wordsOf = ({ language }: { language: string | null }): Words => wordsIn[asLanguage(language) ?? 'en'];
