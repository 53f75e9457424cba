import { asLanguage } from '@beltway/contracts/common/languages';
import type { Words } from '../words/english.ts';
import { wordsIn } from '../words/words.ts';
import type { OrderRow } from './queries.ts';

/** What an order's buyer is written in: the language that they checked out in. */
export const wordsOf = ({ language }: Pick<OrderRow, 'language'>): Words => wordsIn[asLanguage(language) ?? 'en'];
