import type { Language } from '@beltway/contracts/common/languages';
import { english, type AdWords } from './english.ts';
import { spanish } from './spanish.ts';

/** The texts for buyers of ads, in each language. */
export const adWordsIn: Record<Language, AdWords> = { en: english, es: spanish };
