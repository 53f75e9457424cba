import type { Journey } from '@beltway/places/journey';
import { textsNow, type TextsOf } from '../i18n/catalog.ts';
import { texts } from './texts.en.ts';

/** "12 minutes on foot" or "24 minutes by Metro: Red Line from Bethesda to Metro Center, then Blue Line" */
export function journeyText(journey: Journey, t: TextsOf<typeof texts> = textsNow(texts)): string {
  const { minutes: count } = journey;
  if (journey.by === 'walk') return count === 0 ? t('rightHere') : t('onFoot', { count });
  const [line = '', ...others] = journey.lines.map((name) => t(name));
  const changes = others.map((other) => t('change', { line: other })).join('');
  return t('byMetro', { count, line, from: journey.board.name, changes, to: journey.alight.name });
}
