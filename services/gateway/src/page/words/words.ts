import type { Language } from '@beltway/contracts/common/languages';
import { english, type Words } from './english.ts';
import { spanish } from './spanish.ts';

/** What the gateway writes into pages, in each language. */
export const wordsIn: Record<Language, Words> = { en: english, es: spanish };
