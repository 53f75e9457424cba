import { LOCALES, type Language } from '../common/languages.ts';
import { momentText } from '../common/when.ts';
import type { Params } from './texts.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

function valueText(value: string | number, language: Language): string | number {
  if (typeof value === 'number') return value;
  if (DAY.test(value)) return dayText(value, language);
  return MOMENT.test(value) ? momentText(value, language) : value;
}

/** Formats the values of a sentence for display: days and instants in the given language, all others unchanged. */
export const spokenParams = (params: Params, language: Language): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, valueText(value, language)]));
