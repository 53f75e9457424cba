import { filtersInText, withoutFilter, type NamedTime, type SaidFilter } from '@beltway/contracts/catalog/search-text';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { formatLongDate, formatRound } from '../../lib/i18n/format.ts';
import { useClock } from '../../lib/time/clock.ts';
import { Chip } from './chip.tsx';
import { texts } from './texts.en.ts';

function labelOf({ kind, name }: SaidFilter): string {
  const t = textsNow(texts);
  if (kind === 'free') return t('free');
  if (kind === 'price') return t('upTo', { price: formatRound(String(Number(name) / 100)) });
  const named: Record<NamedTime, string> = {
    ...{ tonight: t('tonight'), today: t('today'), tomorrow: t('tomorrow') },
    ...{ weekend: t('weekend'), week: t('thisWeek') },
  };
  return name in named ? named[name as NamedTime] : formatLongDate(`${name}T12:00:00Z`);
}

/** The filters recognized in the search text, each with a button to remove its words. */
export function SaidChips({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const t = useTexts(texts);
  return filtersInText(q, useClock()).map((said) => (
    <Chip key={said.start} pressed onPress={() => onChange(withoutFilter(q, said))}>
      {t('saidAs', { words: q.slice(said.start, said.end), filter: labelOf(said) })}
    </Chip>
  ));
}
