import { ZONE } from '@beltway/contracts/common/times';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { language, locale, perLanguage } from '../../lib/i18n/language.ts';
import { texts } from './texts.en.ts';

const second = perLanguage(
  () =>
    new Intl.DateTimeFormat(locale(), {
      timeZone: ZONE,
      dateStyle: language() === 'es' ? 'medium' : 'short',
      timeStyle: 'medium',
    }),
);
/** "11/28/26, 7:05:31 PM": the seconds show the order of steps within a minute. */
export const formatSecond = (iso: string): string => second().format(new Date(iso));

/** 93_784 → "1 d 2 h", 125 → "2 min", 9 → "9 s": the two largest units. */
export function formatSpan(seconds: number): string {
  const parts: Array<[number, string]> = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
  ];
  const first = parts.findIndex(([number]) => number > 0);
  if (first === -1) return `${Math.max(0, Math.floor(seconds))} s`;
  return parts
    .slice(first, first + 2)
    .filter(([number]) => number > 0)
    .map(([number, unit]) => `${number} ${unit}`)
    .join(' ');
}

/** The age of a moment: "2 min ago". */
export const formatAgo = (iso: string, now = new Date()): string =>
  textsNow(texts)('ago', { span: formatSpan((now.getTime() - Date.parse(iso)) / 1_000) });
